/* Bakes a recipe as the command does: bake RECIPE OPTIONS OUT SHARDS BACKEND. With 0 shards, OUT becomes a bake in a folder, otherwise a
 * world of that number of shards. Then it tests refusals, a stop and a check. */

#include "check.h"

/* Calls of a progress function: how many, the last numbers, and after how many to stop. */
typedef struct Calls {
    uint64_t count, done, total, stop_after;
} Calls;

static int32_t progress(void *user, uint64_t done, uint64_t total) {
    Calls *calls = user;
    calls->count++;
    calls->done = done;
    calls->total = total;
    return calls->stop_after != 0 && calls->count >= calls->stop_after;
}

static void by_one_call(const OrogenEngine *engine, const OrogenRecipe *recipe, const char *options, const char *out) {
    OrogenError error;
    OrogenBaked baked, again;
    Calls calls = {0, 0, 0, 1};
    const char *const many = "{\"tile\": 256, \"tiles\": \"0..16,0..16\", \"overview\": false}";
    char text[4096], stopped[4096];
    size_t length = 0;
    FAILS(orogen_bake(engine, recipe, "{\"tille\": 4}", out, NULL, NULL, NULL, &error), ARGUMENT, "unknown field 'tille'; did you mean 'tile'?");
    FAILS(orogen_bake(engine, recipe, "{\"format\": \"gif\"}", out, NULL, NULL, NULL, &error), ARGUMENT, "allowed: png16, png8");
    FAILS(orogen_bake(engine, recipe, "{\"layers\": [\"nothing\"]}", out, NULL, NULL, NULL, &error), RECIPE, "'nothing'");
    FAILS(orogen_bake(engine, recipe, "{\"tile\": 16384, \"tiles\": \"0..2000,0..2000\"}", out, NULL, NULL, NULL, &error), ARGUMENT,
          "allowed without \"force\": true");
    FAILS(orogen_bake(engine, recipe, NULL, NULL, NULL, NULL, NULL, &error), NULL, "out is NULL");
    FAILS(orogen_bake_check(NULL, out, 0, 0, NULL, NULL, NULL, 0, &length, &error), FILE, out);
    snprintf(stopped, sizeof stopped, "%s-stopped", out);
    FAILS(orogen_bake(engine, recipe, many, stopped, progress, &calls, &baked, &error), STOPPED, "what is done is kept");
    CHECK(calls.count == 1 && calls.done < calls.total);
    IS_OK(orogen_bake(engine, recipe, many, stopped, NULL, NULL, &baked, &error));
    CHECK(baked.tiles == 256 && baked.written < 256);
    calls = (Calls){0, 0, 0, 0};
    IS_OK(orogen_bake(engine, recipe, options, out, progress, &calls, &baked, &error));
    CHECK(calls.done == calls.total && calls.total == baked.tiles && baked.tiles > 0);
    CHECK(strlen(baked.root) == 64);
    IS_OK(orogen_bake(engine, recipe, options, out, NULL, NULL, &again, &error));
    CHECK(again.written == 0 && again.tiles == baked.tiles && strcmp(again.root, baked.root) == 0);
    FAILS(orogen_bake(engine, recipe, "{\"tile\": 7}", out, NULL, NULL, NULL, &error), BAKE, "holds the bake of another recipe or other settings");
    IS_OK(orogen_bake_check(engine, out, 0.5, 1, NULL, NULL, text, sizeof text, &length, &error));
    CHECK(strstr(text, "\"findings\":[]") != NULL && strstr(text, "\"unfinished\":false") != NULL);
    FAILS(orogen_bake_check(engine, out, 1.5, 1, NULL, NULL, NULL, 0, &length, &error), ARGUMENT, "recompute = 1.5");
}

static void by_shards(const OrogenEngine *engine, const OrogenRecipe *recipe, const char *options, const char *out, uint32_t shards) {
    OrogenError error;
    OrogenBaked baked;
    Calls calls = {0, 0, 0, 0};
    uint64_t tiles = 0;
    char text[4096];
    size_t length = 0;
    FAILS(orogen_bake_seal(out, NULL, NULL, NULL, &error), BAKE, "holds no plan");
    FAILS(orogen_bake_plan(engine, recipe, options, out, 0, &error), ARGUMENT, "shards = 0");
    IS_OK(orogen_bake_plan(engine, recipe, options, out, shards, &error));
    FAILS(orogen_bake_shard(engine, out, shards, NULL, NULL, NULL, &error), ARGUMENT, "shard");
    FAILS(orogen_bake_seal(out, NULL, NULL, NULL, &error), BAKE, out);
    IS_OK(orogen_bake_measure(engine, out, OROGEN_ALL_SHARDS, progress, &calls, &error));
    IS_OK(orogen_bake_status(out, text, sizeof text, &length, &error));
    CHECK(strstr(text, "\"phase\":null") != NULL && strstr(text, "\"done\":0,") != NULL && strstr(text, "\"root\":null") != NULL);
    for (uint32_t shard = shards; shard-- > 0;) {
        IS_OK(orogen_bake_shard(engine, out, shard, NULL, NULL, &baked, &error));
        CHECK(baked.written == baked.tiles && baked.root[0] == 0);
        tiles += baked.tiles;
    }
    IS_OK(orogen_bake_seal(out, NULL, NULL, &baked, &error));
    CHECK(baked.tiles == tiles && strlen(baked.root) == 64);
    IS_OK(orogen_bake_status(out, text, sizeof text, &length, &error));
    CHECK(strstr(text, baked.root) != NULL && strstr(text, "\"missing\":[]") != NULL);
}

int main(int count, char **arguments) {
    OrogenError error;
    OrogenEngineOptions options = orogen_engine_options();
    OrogenEngine *engine = NULL;
    OrogenRecipe *recipe = NULL;
    CHECK(count == 6);
    options.backend = (int32_t)strtol(arguments[5], NULL, 10);
    IS_OK(orogen_engine_open(&options, &engine, &error));
    IS_OK(orogen_recipe_load(arguments[1], &recipe, &error));
    if (strtol(arguments[4], NULL, 10) == 0) {
        by_one_call(engine, recipe, arguments[2], arguments[3]);
    } else {
        by_shards(engine, recipe, arguments[2], arguments[3], (uint32_t)strtol(arguments[4], NULL, 10));
    }
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
    printf("bake: %d checks passed\n", checks);
    return 0;
}
