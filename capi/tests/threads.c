/* Uses one engine, one recipe and one noise in four threads at a time, while a fifth switches a parameter between two values. Every field
 * must be that of one of the two values, completely. */

#include "check.h"
#include <pthread.h>

enum { SIZE = 96, ROUNDS = 40, THREADS = 4 };

static const char RECIPE[] =
    "output = \"height\"\n"
    "[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
    "[node.height]\nkind = \"fractal\"\nof = \"basis\"\noctaves = 4\n"
    "[stage.smooth]\nkind = \"thermal\"\nof = \"height\"\niterations = 3\n";

static OrogenEngine *engine;
static OrogenRecipe *recipe;
static OrogenNoise *noise;
static float soft[SIZE * SIZE], hard[SIZE * SIZE], smooth[SIZE * SIZE];
static volatile int seen[2];

static int is(const float *a, const float *b) { return memcmp(a, b, sizeof soft) == 0; }

static void *evaluate(void *unused) {
    const OrogenRegion region = orogen_region_plane(SIZE, SIZE);
    OrogenError error;
    float *values = malloc(sizeof soft);
    OrogenLayer layer;
    (void)unused;
    if (values == NULL) {
        return "no memory";
    }
    layer.name = "smooth";
    layer.values = values;
    layer.count = SIZE * SIZE;
    for (int i = 0; i < ROUNDS; i++) {
        OrogenNoise *own = NULL;
        if (orogen_noise_field(noise, &region, values, SIZE * SIZE, NULL, 0, &error) != OROGEN_STATUS_OK) {
            return "no field";
        }
        if (!is(values, soft) && !is(values, hard)) {
            return "a field of neither value";
        }
        seen[is(values, hard)] = 1;
        if (orogen_layers(engine, recipe, &region, &layer, 1, &error) != OROGEN_STATUS_OK || !is(values, smooth)) {
            return "another layer";
        }
        /* Noises come and go meanwhile. */
        if (orogen_noise_prepare(engine, recipe, "height", &own, &error) != OROGEN_STATUS_OK ||
            orogen_noise_free(own) != OROGEN_STATUS_OK) {
            return "no noise";
        }
        /* Messages belong to the call that failed, regardless of other threads. */
        if (orogen_noise_prepare(engine, recipe, "sea", &own, &error) != OROGEN_STATUS_RECIPE || strstr(error.message, "sea") == NULL) {
            return "another message";
        }
    }
    free(values);
    return NULL;
}

static volatile int done = 0;

static void *change(void *unused) {
    OrogenError error;
    (void)unused;
    for (int i = 0; !done; i++) {
        if (orogen_noise_set_number(noise, "height.gain", i % 2 == 0 ? 0.75 : 0.5, &error) != OROGEN_STATUS_OK) {
            return "not changed";
        }
    }
    return NULL;
}

int main(void) {
    const OrogenRegion region = orogen_region_plane(SIZE, SIZE);
    OrogenEngineOptions options = orogen_engine_options();
    OrogenError error;
    OrogenLayer layer;
    pthread_t threads[THREADS], changing;
    void *wrong = NULL;
    layer.name = "smooth";
    layer.values = smooth;
    layer.count = SIZE * SIZE;
    options.backend = OROGEN_BACKEND_CPU;
    IS_OK(orogen_engine_open(&options, &engine, &error));
    IS_OK(orogen_recipe_parse(RECIPE, NULL, &recipe, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, "height", &noise, &error));
    IS_OK(orogen_layers(engine, recipe, &region, &layer, 1, &error));
    IS_OK(orogen_noise_set_number(noise, "height.gain", 0.75, &error));
    IS_OK(orogen_noise_field(noise, &region, hard, SIZE * SIZE, NULL, 0, &error));
    IS_OK(orogen_noise_set_number(noise, "height.gain", 0.5, &error));
    IS_OK(orogen_noise_field(noise, &region, soft, SIZE * SIZE, NULL, 0, &error));
    CHECK(!is(soft, hard));

    CHECK(pthread_create(&changing, NULL, change, NULL) == 0);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, evaluate, NULL) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], &wrong) == 0);
        if (wrong != NULL) {
            fprintf(stderr, "thread %d: %s\n", i, (const char *)wrong);
            return 1;
        }
    }
    done = 1;
    CHECK(pthread_join(changing, &wrong) == 0 && wrong == NULL);
    CHECK(seen[0] && seen[1]);
    IS_OK(orogen_noise_free(noise));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
    printf("threads: %d threads, %d fields each, both values seen\n", THREADS, ROUNDS);
    return 0;
}
