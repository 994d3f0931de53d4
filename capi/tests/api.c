/* The whole interface as C sees it: what it gives, and what it answers to bad input. Compiled with sanitizers by scripts/capi. */

#include "check.h"
#include <math.h>
#include <string.h>

static const char RECIPE[] =
    "output = \"height\"\n"
    "[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
    "[node.height]\nkind = \"fractal\"\nof = \"basis\"\noctaves = 4\n";

static const char STAGES[] =
    "output = \"wide\"\n"
    "[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
    "[stage.wide]\nkind = \"normalise\"\nof = \"basis\"\n"
    "[stage.map]\nkind = \"colour\"\nby = \"basis\"\nmap = \"viridis\"\nrange = [-1.0, 1.0]\n";

static const char WATER[] =
    "output = \"water\"\n"
    "[node.basis]\nkind = \"simplex\"\nwavelength = 40.0\n"
    "[node.height]\nkind = \"fractal\"\nof = \"basis\"\n"
    "[stage.water]\nkind = \"drainage\"\nof = \"height\"\n";

static OrogenEngine *engine_on(int32_t backend, uint32_t threads) {
    OrogenError error;
    OrogenEngineOptions options = orogen_engine_options();
    OrogenEngine *engine = NULL;
    options.backend = backend;
    options.threads = threads;
    IS_OK(orogen_engine_open(&options, &engine, &error));
    return engine;
}

static OrogenRecipe *recipe_of(const char *text) {
    OrogenError error;
    OrogenRecipe *recipe = NULL;
    IS_OK(orogen_recipe_parse(text, NULL, &recipe, &error));
    return recipe;
}

static void versions(void) {
    CHECK(orogen_abi_version() == OROGEN_ABI_VERSION);
    CHECK(strchr(orogen_version(), '.') != NULL);
    CHECK(sizeof(OrogenError) == 1024);
    CHECK(sizeof(OrogenRegion) == 72);
}

static void engines(void) {
    OrogenError error;
    OrogenEngine *engine = NULL;
    OrogenEngineOptions options = orogen_engine_options();
    char text[512];
    size_t length = 0;

    options.backend = 4;
    FAILS(orogen_engine_open(&options, &engine, &error), ARGUMENT, "backend = 4 is not allowed; allowed: 0 to 3");
    CHECK(engine == NULL);
    options.backend = -1;
    FAILS(orogen_engine_open(&options, &engine, &error), ARGUMENT, "backend = -1");
    options.backend = OROGEN_BACKEND_CPU;
    options.threads = 1025;
    FAILS(orogen_engine_open(&options, &engine, &error), ARGUMENT, "threads = 1025");
    options.threads = 0;
    options.adapter = "\xff";
    FAILS(orogen_engine_open(&options, &engine, &error), UTF8, "adapter is not UTF-8 from byte 0 on");
    FAILS(orogen_engine_open(NULL, NULL, &error), NULL, "engine is NULL");
    options.adapter = "no adapter is called so";
    options.backend = OROGEN_BACKEND_GPU;
    FAILS(orogen_engine_open(&options, &engine, &error), DEVICE, "adapter");
    /* A NULL error is allowed. */
    CHECK(orogen_engine_open(&options, &engine, NULL) == OROGEN_STATUS_DEVICE);
    options = orogen_engine_options();
    CHECK(options.water == OROGEN_WATER_CPU);
    options.backend = OROGEN_BACKEND_CPU;
    options.water = OROGEN_WATER_GPU;
    FAILS(orogen_engine_open(&options, &engine, &error), DEVICE, "water = gpu is not allowed; allowed: cpu, or an engine on a GPU");
    options.water = 2;
    FAILS(orogen_engine_open(&options, &engine, &error), ARGUMENT, "water = 2 is not allowed; allowed: 0 to 1");

    engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_CALLER);
    IS_OK(orogen_engine_describe(engine, NULL, 0, &length, &error));
    CHECK(length > 0 && length < sizeof text);
    memset(text, 'x', sizeof text);
    FAILS(orogen_engine_describe(engine, text, length, &length, &error), SIZE, "is too small");
    CHECK(text[0] == 'x');
    IS_OK(orogen_engine_describe(engine, text, length + 1, NULL, &error));
    CHECK(strlen(text) == length && text[length + 1] == 'x');
    CHECK(strstr(text, "\"backend\":\"cpu\"") != NULL && strstr(text, "\"parity\":\"exact\"") != NULL);
    FAILS(orogen_engine_describe(engine, NULL, 5, &length, &error), NULL, "buffer is NULL");
    FAILS(orogen_engine_describe(engine, NULL, 0, NULL, &error), NULL, "buffer is NULL");
    FAILS(orogen_engine_describe(NULL, text, sizeof text, NULL, &error), NULL, "engine is NULL");
    IS_OK(orogen_engine_free(engine));
}

static void recipes(void) {
    OrogenError error;
    OrogenRecipe *recipe = NULL, *again = NULL;
    char text[4096], other[4096];
    size_t length = 0, count = 0, channels = 0;

    FAILS(orogen_recipe_parse(NULL, NULL, &recipe, &error), NULL, "text is NULL");
    FAILS(orogen_recipe_parse("", NULL, &recipe, &error), RECIPE, "output");
    FAILS(orogen_recipe_parse("\xc3(", NULL, &recipe, &error), UTF8, "text is not UTF-8 from byte 0 on");
    FAILS(orogen_recipe_parse("output = \"a\"\n[node.a]\nkind = \"simplex\"\nwavelength = -5.0\n", NULL, &recipe, &error), RECIPE,
          "recipe.toml:4:1: node 'a': wavelength = -5 is not allowed");
    FAILS(orogen_recipe_parse("{\"output\": 3}", NULL, &recipe, &error), RECIPE, "recipe.json:1");
    /* Values of another type, in words that FAILS lets pass; and several mistakes in one message. */
    FAILS(orogen_recipe_parse("output = \"a\"\n[node.a]\nkind = \"simplex\"\nwavelength = \"300\"\n", NULL, &recipe, &error), RECIPE,
          "wavelength = \"300\" is not allowed");
    FAILS(orogen_recipe_parse("output = \"a\"\n[node.a]\nkind = \"simplex\"\nseed = -1\n", NULL, &recipe, &error), RECIPE, "seed = -1");
    FAILS(orogen_recipe_parse("output = \"a\"\n[node.a]\nkind = \"simplex\"\nwavelenght = 1\n[node.b]\nkind = \"perlin\"\nseed = []\n", NULL,
                              &recipe, &error),
          RECIPE, "wavelenght");
    CHECK(strstr(error.message, "seed = []") != NULL && strchr(error.message, '\n') != NULL);
    CHECK(recipe == NULL);
    FAILS(orogen_recipe_parse(RECIPE, NULL, NULL, &error), NULL, "recipe is NULL");
    FAILS(orogen_recipe_load("there is no such file.toml", &recipe, &error), FILE, "there is no such file.toml");
    FAILS(orogen_recipe_load(NULL, &recipe, &error), NULL, "path is NULL");

    /* Written and read again it is the same, in both languages. */
    recipe = recipe_of(RECIPE);
    IS_OK(orogen_recipe_toml(recipe, text, sizeof text, &length, &error));
    CHECK(strlen(text) == length);
    again = recipe_of(text);
    IS_OK(orogen_recipe_json(recipe, text, sizeof text, NULL, &error));
    IS_OK(orogen_recipe_json(again, other, sizeof other, NULL, &error));
    CHECK(strcmp(text, other) == 0);
    IS_OK(orogen_recipe_free(again));
    again = recipe_of(text);
    IS_OK(orogen_recipe_output(again, text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "height") == 0);
    IS_OK(orogen_recipe_free(again));
    IS_OK(orogen_recipe_free(recipe));

    /* The layers of a recipe. */
    recipe = recipe_of(STAGES);
    IS_OK(orogen_recipe_layer_count(recipe, &count, &error));
    CHECK(count == 3);
    IS_OK(orogen_recipe_layer_name(recipe, 1, text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "map") == 0);
    FAILS(orogen_recipe_layer_name(recipe, 3, text, sizeof text, NULL, &error), ARGUMENT, "index = 3 is not allowed; allowed: less than 3");
    IS_OK(orogen_recipe_channels(recipe, "map", &channels, &error));
    CHECK(channels == 4);
    IS_OK(orogen_recipe_channels(recipe, NULL, &channels, &error));
    CHECK(channels == 1);
    FAILS(orogen_recipe_channels(recipe, "sea", &channels, &error), RECIPE, "sea");
    IS_OK(orogen_recipe_free(recipe));
}

/* Files that a recipe names lie in the folder that is given; without one they are not read. */
static void files(const char *folder) {
    static const char TOML[] = "output = \"r\"\n[node.r]\nkind = \"raster\"\nheights = \"painted.png\"\nspacing = [4.0, 4.0]\n";
    static const char JSON[] = "{\"output\": \"r\", \"node\": {\"r\": {\"kind\": \"raster\", \"heights\": \"painted.png\", \"spacing\": [4, 4]}}}";
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    double values[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        OrogenRecipe *recipe = NULL;
        OrogenNoise *noise = NULL;
        IS_OK(orogen_recipe_parse(i == 0 ? TOML : JSON, folder, &recipe, &error));
        IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
        IS_OK(orogen_noise_value(noise, 100.0, 200.0, 0.0, &values[i], &error));
        IS_OK(orogen_noise_free(noise));
        IS_OK(orogen_recipe_free(recipe));
        FAILS(orogen_recipe_parse(i == 0 ? TOML : JSON, "there is no such folder", &recipe, &error), RECIPE, "painted.png");
        IS_OK(orogen_recipe_parse(i == 0 ? TOML : JSON, NULL, &recipe, &error));
        FAILS(orogen_noise_prepare(engine, recipe, NULL, &noise, &error), NOISE, "painted.png");
        IS_OK(orogen_recipe_free(recipe));
    }
    CHECK(values[0] == values[1] && values[0] != 0.0);
    IS_OK(orogen_engine_free(engine));
}

static void regions(void) {
    OrogenError error;
    uint64_t samples = 0;
    OrogenRegion region = orogen_region_chunk(2, -1, 128);
    CHECK(region.origin[0] == 256 && region.origin[1] == -128 && region.size[0] == 129 && region.size[2] == 1);
    IS_OK(orogen_region_check(&region, &samples, &error));
    CHECK(samples == 129 * 129);
    FAILS(orogen_region_check(NULL, &samples, &error), NULL, "region is NULL");
    region.spacing = NAN;
    FAILS(orogen_region_check(&region, &samples, &error), REGION, "spacing = NaN is not allowed");
    region = orogen_region_plane(0, 4);
    FAILS(orogen_region_check(&region, NULL, &error), REGION, "size = [0, 4, 1]");
    region = orogen_region_plane(1u << 30, 1u << 30);
    FAILS(orogen_region_check(&region, NULL, &error), REGION, "at most 2^32 samples");
    region = orogen_region_tile(INT64_MAX, INT64_MIN, UINT32_MAX);
    CHECK(orogen_region_check(&region, NULL, &error) == OROGEN_STATUS_REGION);
    region = orogen_region_plane(4, 4);
    region.anchor[1] = INFINITY;
    FAILS(orogen_region_check(&region, NULL, &error), REGION, "position");
    region = orogen_region_plane(4, 4);
    region.level = 41;
    FAILS(orogen_region_check(&region, NULL, &error), REGION, "level = 41");
}

static void noises(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, 2);
    OrogenRecipe *recipe = recipe_of(RECIPE), *stages = recipe_of(STAGES);
    OrogenNoise *noise = NULL, *basis = NULL;
    float values[64], gradients[192], at[64];
    double positions[192], low = 0, high = 0, value = 0;
    OrogenRegion region = orogen_region_plane(8, 8);

    FAILS(orogen_noise_prepare(engine, recipe, "sea", &noise, &error), RECIPE, "sea");
    FAILS(orogen_noise_prepare(engine, stages, NULL, &noise, &error), RECIPE, "wide");
    FAILS(orogen_noise_prepare(engine, recipe, "\xff", &noise, &error), UTF8, "node is not UTF-8");
    FAILS(orogen_noise_prepare(engine, recipe, NULL, NULL, &error), NULL, "noise is NULL");
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, "basis", &basis, &error));
    /* A noise keeps what it needs. */
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));

    IS_OK(orogen_noise_range(noise, &low, &high, &error));
    CHECK(low < 0 && high > 0 && isfinite(low) && isfinite(high));
    IS_OK(orogen_noise_field(noise, &region, values, 64, NULL, 0, &error));
    for (int i = 0; i < 64; i++) {
        positions[3 * i] = i % 8;
        positions[3 * i + 1] = i / 8;
        positions[3 * i + 2] = 0;
        CHECK(values[i] >= low && values[i] <= high);
    }
    IS_OK(orogen_noise_points(noise, positions, 64, at, 64, NULL, 0, &error));
    CHECK(memcmp(values, at, sizeof at) == 0);
    memset(values, 0, sizeof values);
    IS_OK(orogen_noise_field(noise, &region, values, 64, gradients, 192, &error));
    CHECK(memcmp(values, at, sizeof at) == 0 && gradients[2] == 0.0f && gradients[0] != 0.0f);
    memset(values, 0, sizeof values);
    {
        float point_gradients[192];
        IS_OK(orogen_noise_points(noise, positions, 64, values, 64, point_gradients, 192, &error));
        CHECK(memcmp(values, at, sizeof at) == 0 && memcmp(gradients, point_gradients, sizeof gradients) == 0);
    }
    IS_OK(orogen_noise_value(noise, 3, 2, 0, &value, &error));
    CHECK((float)value == at[19]);
    IS_OK(orogen_noise_points(noise, NULL, 0, NULL, 0, NULL, 0, &error));

    /* Sizes. */
    FAILS(orogen_noise_field(noise, &region, values, 63, NULL, 0, &error), SIZE, "values of 63 numbers is not allowed; allowed: 64");
    FAILS(orogen_noise_field(noise, &region, values, 64, gradients, 64, &error), SIZE, "gradients of 64 numbers is not allowed; allowed: 192");
    FAILS(orogen_noise_field(noise, &region, values, 64, NULL, 192, &error), SIZE, "gradients of 192 numbers is not allowed; allowed: 0");
    FAILS(orogen_noise_field(noise, &region, NULL, 64, NULL, 0, &error), NULL, "values is NULL");
    FAILS(orogen_noise_field(noise, NULL, values, 64, NULL, 0, &error), NULL, "region is NULL");
    FAILS(orogen_noise_field(noise, &region, (float *)((char *)values + 1), 64, NULL, 0, &error), ARGUMENT, "values is not aligned");
    FAILS(orogen_noise_points(noise, positions, 64, values, 63, NULL, 0, &error), SIZE, "values of 63");
    FAILS(orogen_noise_points(noise, NULL, 64, values, 64, NULL, 0, &error), NULL, "positions is NULL");
    FAILS(orogen_noise_points(noise, positions, SIZE_MAX, values, SIZE_MAX, NULL, 0, &error), SIZE, "positions of");
    region = orogen_region_plane(1u << 31, 1u << 29);
    FAILS(orogen_noise_field(noise, &region, values, (size_t)1 << 60, NULL, 0, &error), REGION, "2^32");
    region = orogen_region_plane(1u << 16, 1u << 16);
    FAILS(orogen_noise_field(noise, &region, values, 64, NULL, 0, &error), SIZE, "allowed: 4294967296");

    /* Positions. */
    positions[4] = NAN;
    FAILS(orogen_noise_points(noise, positions, 64, values, 64, NULL, 0, &error), REGION, "point 1");
    FAILS(orogen_noise_value(noise, 0, -INFINITY, 0, &value, &error), REGION, "point 0");
    FAILS(orogen_noise_value(noise, 0, 0, 0, NULL, &error), NULL, "value is NULL");
    FAILS(orogen_noise_range(noise, &low, NULL, &error), NULL, "high is NULL");

    IS_OK(orogen_noise_free(noise));
    IS_OK(orogen_noise_free(basis));
    IS_OK(orogen_recipe_free(stages));
}

static void parameters(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(RECIPE), *stages = recipe_of(STAGES);
    OrogenNoise *noise = NULL;
    double before = 0, after = 0;
    char text[64];
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    IS_OK(orogen_noise_value(noise, 10, 20, 0, &before, &error));

    IS_OK(orogen_noise_set_number(noise, "height.octaves", 2, &error));
    IS_OK(orogen_noise_get_json(noise, "height.octaves", text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "2") == 0);
    IS_OK(orogen_noise_value(noise, 10, 20, 0, &after, &error));
    CHECK(after != before);
    IS_OK(orogen_noise_set_json(noise, "height.octaves", "4", &error));
    IS_OK(orogen_noise_value(noise, 10, 20, 0, &after, &error));
    CHECK(after == before);
    IS_OK(orogen_noise_set_number(noise, "height.gain", 0.25, &error));
    /* Every seed of 64 bits, as a number and as text; a double only where it cannot have been rounded. */
    static const char *const SEEDS[] = {"0", "1", "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615"};
    for (size_t i = 0; i < sizeof SEEDS / sizeof SEEDS[0]; i++) {
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\"", SEEDS[i]);
        for (int as_text = 0; as_text < 2; as_text++) {
            IS_OK(orogen_noise_set_json(noise, "basis.seed", as_text ? quoted : SEEDS[i], &error));
            IS_OK(orogen_noise_get_json(noise, "basis.seed", text, sizeof text, NULL, &error));
            CHECK(strcmp(text, SEEDS[i]) == 0);
        }
    }
    IS_OK(orogen_noise_set_number(noise, "basis.seed", 9007199254740991.0, &error));
    FAILS(orogen_noise_set_number(noise, "basis.seed", 9007199254740992.0, &error), PARAMETER, "seed");

    FAILS(orogen_noise_set_number(noise, "height.gain", 1e9, &error), PARAMETER, "node 'height': gain = 1000000000");
    FAILS(orogen_noise_set_number(noise, "height.gain", NAN, &error), PARAMETER, "gain = NaN");
    FAILS(orogen_noise_set_number(noise, "height.octaves", 2.5, &error), PARAMETER, "octaves = 2.5");
    FAILS(orogen_noise_set_number(noise, "height.sea", 1, &error), PARAMETER, "no parameter 'sea'");
    FAILS(orogen_noise_set_number(noise, "sea", 1, &error), PARAMETER, "'sea' does not exist");
    FAILS(orogen_noise_set_number(noise, NULL, 1, &error), NULL, "path is NULL");
    FAILS(orogen_noise_set_word(noise, "height.gain", "high", &error), PARAMETER, "gain");
    FAILS(orogen_noise_set_word(noise, "height.gain", "\xff", &error), UTF8, "word is not UTF-8");
    FAILS(orogen_noise_set_word(noise, "height.accumulate", "ridged", &error), PARAMETER, "accumulate");
    FAILS(orogen_noise_set_json(noise, "height.gain", "{", &error), PARAMETER, "height.gain = { is not allowed");
    FAILS(orogen_noise_set_json(noise, "height.gain", "null", &error), PARAMETER, "null");
    FAILS(orogen_noise_get_json(noise, "height.gain", text, 2, NULL, &error), SIZE, "too small");
    IS_OK(orogen_noise_get_json(noise, "height.gain", text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "0.25") == 0);
    IS_OK(orogen_noise_get_json(noise, "height.accumulate", text, sizeof text, NULL, &error));
    CHECK(text[0] == '"');

    IS_OK(orogen_recipe_set_json(stages, "map.range", "[-2, 2]", &error));
    IS_OK(orogen_recipe_get_json(stages, "map.range", text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "[-2.0,2.0]") == 0);
    IS_OK(orogen_recipe_set_number(stages, "basis.wavelength", 80, &error));
    FAILS(orogen_recipe_set_number(stages, "map.sea", 80, &error), PARAMETER, "sea");
    FAILS(orogen_recipe_set_word(stages, "map.range", "wide", &error), PARAMETER, "range");

    IS_OK(orogen_noise_free(noise));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_recipe_free(stages));
    IS_OK(orogen_engine_free(engine));
}

/* A fourth coordinate, a gradient at one point, several numbers at once, seeds. */
static void times(void) {
    static const char CLOUDS[] = "output = \"clouds\"\n[node.clouds]\nkind = \"simplex\"\ndimensions = 4\nwavelength = 20.0\n";
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_CALLER);
    OrogenRecipe *recipe = recipe_of(CLOUDS);
    OrogenNoise *noise = NULL, *later = NULL;
    OrogenRegion region = orogen_region_plane(8, 4);
    float now[32], moved[32], gradients[96], slopes[96], points[32];
    double positions[128], value = 0, alone = 0, gradient[3] = {0, 0, 0};
    char text[64];
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &later, &error));
    IS_OK(orogen_noise_set_number(later, "clouds.w", 2.5, &error));

    IS_OK(orogen_noise_field_at(noise, &region, 2.5, now, 32, NULL, 0, &error));
    IS_OK(orogen_noise_field(later, &region, moved, 32, gradients, 96, &error));
    CHECK(memcmp(now, moved, sizeof now) == 0);
    IS_OK(orogen_noise_field_at(noise, &region, 2.5, now, 32, slopes, 96, &error));
    CHECK(memcmp(now, moved, sizeof now) == 0 && memcmp(slopes, gradients, sizeof slopes) == 0);
    IS_OK(orogen_noise_field(noise, &region, moved, 32, NULL, 0, &error));
    CHECK(memcmp(now, moved, sizeof now) != 0);
    for (int i = 0; i < 32; i++) {
        positions[4 * i] = i % 8;
        positions[4 * i + 1] = i / 8;
        positions[4 * i + 2] = 0;
        positions[4 * i + 3] = i < 16 ? 2.5 : 0;
    }
    IS_OK(orogen_noise_points_4d(noise, positions, 32, points, 32, &error));
    CHECK(memcmp(points, now, sizeof points / 2) == 0 && memcmp(points + 16, moved + 16, sizeof points / 2) == 0);
    IS_OK(orogen_noise_points_4d(noise, NULL, 0, NULL, 0, &error));

    IS_OK(orogen_noise_value_at(noise, 3, 1, 0, 2.5, &value, gradient, &error));
    CHECK((float)value == now[11] && (float)gradient[0] == slopes[33] && (float)gradient[1] == slopes[34]);
    IS_OK(orogen_noise_value_at(noise, 3, 1, 0, 2.5, &value, NULL, &error));
    CHECK((float)value == now[11]);
    IS_OK(orogen_noise_value_at(noise, 3, 1, 0, 0, &value, NULL, &error));
    IS_OK(orogen_noise_value(noise, 3, 1, 0, &alone, &error));
    CHECK(value == alone);
    FAILS(orogen_noise_value_at(noise, 3, 1, 0, INFINITY, &value, NULL, &error), REGION, "w = inf");
    FAILS(orogen_noise_value_at(noise, NAN, 1, 0, 0, &value, gradient, &error), REGION, "point 0");
    FAILS(orogen_noise_value_at(noise, 3, 1, 0, 0, NULL, gradient, &error), NULL, "value is NULL");
    FAILS(orogen_noise_value_at(noise, 3, 1, 0, 0, &value, (double *)((char *)gradient + 1), &error), ARGUMENT, "gradient is not aligned");
    FAILS(orogen_noise_field_at(noise, &region, 2e12, now, 32, NULL, 0, &error), REGION, "w = ");
    FAILS(orogen_noise_field_at(noise, &region, 0, now, 31, NULL, 0, &error), SIZE, "values of 31");
    FAILS(orogen_noise_field_at(noise, &region, 0, now, 32, slopes, 32, &error), SIZE, "gradients of 32");
    FAILS(orogen_noise_field_at(noise, NULL, 0, now, 32, NULL, 0, &error), NULL, "region is NULL");
    FAILS(orogen_noise_points_4d(noise, positions, 32, points, 31, &error), SIZE, "values of 31");
    FAILS(orogen_noise_points_4d(noise, NULL, 32, points, 32, &error), NULL, "positions is NULL");
    positions[4 * 20 + 3] = NAN;
    FAILS(orogen_noise_points_4d(noise, positions, 32, points, 32, &error), REGION, "w = NaN");

    {
        OrogenNumber numbers[] = {{"clouds.w", 2.5}, {"clouds.wavelength", 30}};
        IS_OK(orogen_noise_set_number(later, "clouds.wavelength", 30, &error));
        IS_OK(orogen_noise_set_numbers(noise, numbers, 2, &error));
        IS_OK(orogen_noise_field(noise, &region, now, 32, NULL, 0, &error));
        IS_OK(orogen_noise_field(later, &region, moved, 32, NULL, 0, &error));
        CHECK(memcmp(now, moved, sizeof now) == 0);
        numbers[0].value = 9;
        numbers[1].value = -1;
        FAILS(orogen_noise_set_numbers(noise, numbers, 2, &error), PARAMETER, "wavelength");
        numbers[1].path = NULL;
        FAILS(orogen_noise_set_numbers(noise, numbers, 2, &error), NULL, "path is NULL");
        FAILS(orogen_noise_set_numbers(noise, NULL, 2, &error), NULL, "numbers is NULL");
        IS_OK(orogen_noise_set_numbers(noise, NULL, 0, &error));
        IS_OK(orogen_noise_field(noise, &region, now, 32, NULL, 0, &error));
        CHECK(memcmp(now, moved, sizeof now) == 0); /* All or nothing. */
    }
    IS_OK(orogen_noise_set_seed(noise, "clouds.seed", UINT64_MAX, &error));
    IS_OK(orogen_noise_get_json(noise, "clouds.seed", text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "18446744073709551615") == 0);
    IS_OK(orogen_recipe_set_seed(recipe, "clouds.seed", UINT64_MAX, &error));
    IS_OK(orogen_recipe_get_json(recipe, "clouds.seed", text, sizeof text, NULL, &error));
    CHECK(strcmp(text, "18446744073709551615") == 0);
    FAILS(orogen_noise_set_seed(noise, "clouds.sea", 1, &error), PARAMETER, "sea");
    FAILS(orogen_recipe_set_seed(recipe, "clouds.sea", 1, &error), PARAMETER, "sea");
    FAILS(orogen_noise_set_seed(noise, NULL, 1, &error), NULL, "path is NULL");

    IS_OK(orogen_noise_free(noise));
    IS_OK(orogen_noise_free(later));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

/* Noises that are prepared together have the bits that each has alone. */
static void together(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(RECIPE), *stages = recipe_of(STAGES);
    OrogenNoise *height = NULL, *basis = NULL;
    OrogenNoises *both = NULL;
    OrogenRegion region = orogen_region_tile(-3, 7, 8);
    const char *nodes[] = {NULL, "basis"};
    OrogenNumber numbers[] = {{"basis.wavelength", 32}, {"height.gain", 0.25}};
    float values[128], points[128], heights[64], bases[64];
    double positions[192];
    IS_OK(orogen_noises_prepare(engine, recipe, nodes, 2, &both, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &height, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, "basis", &basis, &error));
    for (int round = 0; round < 2; round++) {
        IS_OK(orogen_noises_field(both, &region, values, 128, &error));
        IS_OK(orogen_noise_field(height, &region, heights, 64, NULL, 0, &error));
        IS_OK(orogen_noise_field(basis, &region, bases, 64, NULL, 0, &error));
        for (int i = 0; i < 64; i++) {
            CHECK(values[2 * i] == heights[i] && values[2 * i + 1] == bases[i]);
            positions[3 * i] = -24 + i % 8;
            positions[3 * i + 1] = 56 + i / 8;
            positions[3 * i + 2] = 0;
        }
        IS_OK(orogen_noises_points(both, positions, 64, points, 128, &error));
        CHECK(memcmp(points, values, sizeof points) == 0);
        IS_OK(orogen_noises_set_numbers(both, numbers, 2, &error));
        IS_OK(orogen_noise_set_numbers(height, numbers, 2, &error));
        IS_OK(orogen_noise_set_numbers(basis, numbers, 1, &error));
    }
    CHECK(heights[0] != bases[0]);
    FAILS(orogen_noises_field(both, &region, values, 64, &error), SIZE, "values of 64 numbers is not allowed; allowed: 128");
    FAILS(orogen_noises_field(both, NULL, values, 128, &error), NULL, "region is NULL");
    FAILS(orogen_noises_points(both, positions, 64, values, 64, &error), SIZE, "values of 64");
    FAILS(orogen_noises_points(both, NULL, 64, values, 128, &error), NULL, "positions is NULL");
    numbers[1].value = 1e9;
    FAILS(orogen_noises_set_numbers(both, numbers, 2, &error), PARAMETER, "gain");
    FAILS(orogen_noises_points((OrogenNoises *)(void *)height, positions, 64, values, 128, &error), HANDLE, "another kind");
    IS_OK(orogen_noises_free(both));
    IS_OK(orogen_noises_free(NULL));
    FAILS(orogen_noises_prepare(engine, recipe, nodes, 0, &both, &error), SIZE, "0 noises");
    CHECK(both == NULL);
    FAILS(orogen_noises_prepare(engine, recipe, nodes, SIZE_MAX, &both, &error), SIZE, "allowed: 1 to 1024");
    FAILS(orogen_noises_prepare(engine, recipe, NULL, 2, &both, &error), NULL, "nodes is NULL");
    FAILS(orogen_noises_prepare(engine, recipe, nodes, 2, NULL, &error), NULL, "noises is NULL");
    FAILS(orogen_noises_prepare(engine, stages, nodes, 1, &both, &error), RECIPE, "wide");
    nodes[1] = "sea";
    FAILS(orogen_noises_prepare(engine, recipe, nodes, 2, &both, &error), RECIPE, "sea");
    IS_OK(orogen_noise_free(height));
    IS_OK(orogen_noise_free(basis));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_recipe_free(stages));
    IS_OK(orogen_engine_free(engine));
}

static void layers(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(STAGES), *measured = NULL;
    OrogenRegion region = orogen_region_plane(16, 8), world = orogen_region_plane(64, 64);
    float wide[128], colours[512], alone[128];
    OrogenLayer asked[2];
    asked[0].name = NULL;
    asked[0].values = wide;
    asked[0].count = 128;
    asked[1].name = "map";
    asked[1].values = colours;
    asked[1].count = 512;
    IS_OK(orogen_layers(engine, recipe, &region, asked, 2, &error));
    CHECK(colours[3] == 1.0f);
    {
        float low = wide[0], high = wide[0];
        for (int i = 0; i < 128; i++) {
            low = fminf(low, wide[i]);
            high = fmaxf(high, wide[i]);
        }
        /* The region is the world to a stage that reads it whole. */
        CHECK(fabsf(low) < 1e-5f && fabsf(high - 1.0f) < 1e-5f);
    }
    IS_OK(orogen_recipe_measure(engine, recipe, &world, 1, &measured, &error));
    asked[0].values = alone;
    IS_OK(orogen_layers(engine, measured, &region, asked, 1, &error));
    CHECK(memcmp(alone, wide, sizeof wide) != 0);
    IS_OK(orogen_layers(engine, measured, &region, NULL, 0, &error));

    asked[0].count = 127;
    FAILS(orogen_layers(engine, recipe, &region, asked, 2, &error), SIZE, "layer 'wide' of 127 numbers is not allowed; allowed: 128");
    asked[0].count = 128;
    asked[1].name = "sea";
    FAILS(orogen_layers(engine, recipe, &region, asked, 2, &error), RECIPE, "sea");
    asked[1].name = "\xff";
    FAILS(orogen_layers(engine, recipe, &region, asked, 2, &error), UTF8, "name of a layer");
    asked[1].name = "map";
    asked[1].values = NULL;
    FAILS(orogen_layers(engine, recipe, &region, asked, 2, &error), NULL, "values of a layer is NULL");
    FAILS(orogen_layers(engine, recipe, &region, NULL, 2, &error), NULL, "layers is NULL");
    FAILS(orogen_layers(engine, recipe, &region, asked, 1025, &error), SIZE, "1025 layers");
    FAILS(orogen_layers(engine, recipe, &region, asked, SIZE_MAX, &error), SIZE, "layers");
    region.size[2] = 2;
    asked[0].count = 256;
    FAILS(orogen_layers(engine, recipe, &region, asked, 1, &error), REGION, "1 sample along z");
    region = orogen_region_plane(1u << 31, 1u << 29);
    FAILS(orogen_layers(engine, recipe, &region, asked, 1, &error), REGION, "2^32");
    IS_OK(orogen_recipe_free(measured));
    FAILS(orogen_recipe_measure(engine, recipe, &region, 1, &measured, &error), REGION, "2^32");
    CHECK(measured == NULL);
    world.size[2] = 2;
    FAILS(orogen_recipe_measure(engine, recipe, &world, 1, &measured, &error), REGION, "1 sample along z");
    FAILS(orogen_recipe_measure(engine, recipe, NULL, 1, &measured, &error), NULL, "world is NULL");
    FAILS(orogen_recipe_measure(engine, recipe, NULL, 0, &measured, &error), RECIPE, "whole world");
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

/* Heights from memory: numbers at their places, copied, with the node's own parameters; and every way in which they are refused. */
static void heights(const char *folder) {
    static const char GROUND[] =
        "output = \"ground\"\n[node.ground]\nkind = \"raster\"\nheights = \"memory\"\nsampling = \"linear\"\nspacing = [4.0, 2.0]\n"
        "[node.other]\nkind = \"simplex\"\n[stage.smooth]\nkind = \"gaussian\"\nof = \"ground\"\n";
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(GROUND), *again = NULL;
    OrogenNoise *noise = NULL, *moved = NULL;
    float numbers[6] = {1.0f, 2.0f, 3.0f, 10.0f, 20.0f, 30.0f}, at[6], layer_values[6];
    const double positions[18] = {0, 0, 0, 4, 0, 0, 8, 0, 0, 0, 2, 0, 4, 2, 0, 8, 2, 0};
    double value = 0, low = 0, high = 0;
    char text[1024];
    OrogenLayer layer;
    OrogenRegion region = orogen_region_plane(3, 2);

    FAILS(orogen_noise_prepare(engine, recipe, NULL, &noise, &error), NOISE, "memory");
    IS_OK(orogen_recipe_set_heights(recipe, NULL, numbers, 6, 3, 2, &error));
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    IS_OK(orogen_noise_points(noise, positions, 6, at, 6, NULL, 0, &error));
    CHECK(memcmp(at, numbers, sizeof numbers) == 0);
    IS_OK(orogen_noise_range(noise, &low, &high, &error));
    CHECK(low <= 1.0 && low > 0.9 && high >= 30.0 && high < 30.1);

    /* They were copied; a noise keeps those that it was prepared with. */
    for (int i = 0; i < 6; i++) {
        numbers[i] = -numbers[i];
    }
    IS_OK(orogen_noise_value(noise, 8, 2, 0, &value, &error));
    CHECK(value == 30.0);
    IS_OK(orogen_recipe_set_heights(recipe, "ground", numbers, 6, 3, 2, &error));
    IS_OK(orogen_noise_value(noise, 8, 2, 0, &value, &error));
    CHECK(value == 30.0);

    /* The node's other parameters. */
    IS_OK(orogen_recipe_set_json(recipe, "ground.position", "[100, 200]", &error));
    IS_OK(orogen_noise_prepare(engine, recipe, "ground", &moved, &error));
    IS_OK(orogen_noise_value(moved, 108, 202, 0, &value, &error));
    CHECK(value == -30.0);
    IS_OK(orogen_noise_set_json(moved, "ground.spacing", "[1, 1]", &error));
    IS_OK(orogen_noise_value(moved, 102, 201, 0, &value, &error));
    CHECK(value == -30.0);
    IS_OK(orogen_recipe_set_json(recipe, "ground.position", "[0, 0]", &error));
    IS_OK(orogen_recipe_set_json(recipe, "ground.spacing", "[1, 1]", &error));

    /* Layers see them, too; other shapes of the same numbers are other heights. */
    layer.name = "ground";
    layer.values = layer_values;
    layer.count = 6;
    IS_OK(orogen_layers(engine, recipe, &region, &layer, 1, &error));
    CHECK(memcmp(layer_values, numbers, sizeof numbers) == 0);
    IS_OK(orogen_recipe_set_heights(recipe, NULL, numbers, 6, 6, 1, &error));
    IS_OK(orogen_layers(engine, recipe, &region, &layer, 1, &error));
    CHECK(layer_values[5] == -3.0f && layer_values[2] == -3.0f);

    /* The text has their hash for a name, and they are given again after it was parsed. */
    IS_OK(orogen_recipe_toml(recipe, text, sizeof text, NULL, &error));
    CHECK(strstr(text, "heights = \"sha256:") != NULL);
    again = recipe_of(text);
    IS_OK(orogen_noise_free(noise));
    FAILS(orogen_noise_prepare(engine, again, NULL, &noise, &error), NOISE, "sha256:");
    IS_OK(orogen_recipe_set_heights(again, NULL, numbers, 6, 6, 1, &error));
    IS_OK(orogen_layers(engine, again, &region, &layer, 1, &error));
    IS_OK(orogen_recipe_free(again));

    /* In place of a file that was read, whose hash the recipe has kept. */
    IS_OK(orogen_recipe_parse("output = \"r\"\n[node.r]\nkind = \"raster\"\nheights = \"painted.png\"\nsampling = \"linear\"\n", folder, &again, &error));
    IS_OK(orogen_recipe_set_heights(again, NULL, numbers, 6, 6, 1, &error));
    IS_OK(orogen_layers(engine, again, &region, &(OrogenLayer){NULL, layer_values, 6}, 1, &error));
    CHECK(layer_values[2] == -3.0f);
    IS_OK(orogen_recipe_free(again));

    FAILS(orogen_recipe_set_heights(recipe, "sea", numbers, 6, 3, 2, &error), RECIPE, "sea");
    FAILS(orogen_recipe_set_heights(recipe, "smooth", numbers, 6, 3, 2, &error), RECIPE, "smooth");
    FAILS(orogen_recipe_set_heights(recipe, "other", numbers, 6, 3, 2, &error), PARAMETER,
          "node 'other' of kind 'simplex' has no heights; allowed: a node of kind 'raster'");
    FAILS(orogen_recipe_set_heights(recipe, "\xff", numbers, 6, 3, 2, &error), UTF8, "node is not UTF-8");
    FAILS(orogen_recipe_set_heights(recipe, NULL, NULL, 6, 3, 2, &error), NULL, "values is NULL");
    FAILS(orogen_recipe_set_heights(NULL, NULL, numbers, 6, 3, 2, &error), NULL, "recipe is NULL");
    FAILS(orogen_recipe_set_heights(recipe, NULL, (float *)((char *)numbers + 1), 6, 3, 2, &error), ARGUMENT, "values is not aligned");
    FAILS(orogen_recipe_set_heights(recipe, NULL, numbers, 5, 3, 2, &error), SIZE, "values of 5 numbers is not allowed; allowed: 6");
    FAILS(orogen_recipe_set_heights(recipe, NULL, numbers, 6, UINT32_MAX, UINT32_MAX, &error), SIZE, "allowed: 18446744065119617025");
    FAILS(orogen_recipe_set_heights(recipe, NULL, numbers, 0, 0, 2, &error), ARGUMENT, "1 to 16384");
    {
        float *wide = calloc(16385, sizeof *wide);
        CHECK(wide != NULL);
        FAILS(orogen_recipe_set_heights(recipe, NULL, wide, 16385, 16385, 1, &error), ARGUMENT, "1 to 16384");
        IS_OK(orogen_recipe_set_heights(recipe, NULL, wide, 16384, 1, 16384, &error));
        free(wide);
    }
    numbers[4] = INFINITY;
    FAILS(orogen_recipe_set_heights(recipe, NULL, numbers, 6, 3, 2, &error), ARGUMENT, "column 1 of row 1");
    numbers[4] = 2e15f;
    FAILS(orogen_recipe_set_heights(recipe, NULL, numbers, 6, 3, 2, &error), ARGUMENT, "column 1 of row 1");
    /* NaN is a cell without a height, which needs the parameter for such cells. */
    numbers[4] = NAN;
    IS_OK(orogen_recipe_set_heights(recipe, NULL, numbers, 6, 3, 2, &error));
    FAILS(orogen_noise_prepare(engine, recipe, NULL, &noise, &error), NOISE, "holes");
    IS_OK(orogen_recipe_set_json(recipe, "ground.holes", "-7", &error));
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    IS_OK(orogen_noise_value(noise, 1, 1, 0, &value, &error));
    CHECK(value == -7.0);
    IS_OK(orogen_noise_free(noise));

    IS_OK(orogen_noise_free(moved));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

/* Messages that name an option of another interface in the library: in C they name C's own. */
static void messages(void) {
    static const char FAR[] =
        "output = \"wide\"\n[node.n]\nkind = \"simplex\"\n[stage.wide]\nkind = \"hydraulic\"\nof = \"n\"\niterations = 200\n";
    static const char WAVES[] = "output = \"s\"\n[stage.s]\nkind = \"frequency\"\nsize = 4096\n";
    static const char GIVEN[] = "output = \"g\"\n[stage.g]\nkind = \"given\"\n";
    OrogenError error;
    OrogenEngine *engine = NULL;
    OrogenEngineOptions options = orogen_engine_options();
    OrogenRegion region = orogen_region_plane(16, 16);
    float values[256];
    OrogenLayer layer;
    OrogenRecipe *recipe = NULL;
    layer.name = NULL;
    layer.values = values;
    layer.count = 256;
    options.backend = OROGEN_BACKEND_CPU;
    options.memory = 1 << 16;
    IS_OK(orogen_engine_open(&options, &engine, &error));
    recipe = recipe_of(FAR);
    FAILS(orogen_layers(engine, recipe, &region, &layer, 1, &error), MEMORY, "OrogenEngineOptions.memory");
    FAILS(orogen_recipe_set_json(recipe, "n.dimensions", "3", &error), PARAMETER, "cannot be changed here; allowed: another recipe's text");
    IS_OK(orogen_recipe_free(recipe));
    recipe = recipe_of(WAVES);
    FAILS(orogen_layers(engine, recipe, &region, &layer, 1, &error), MEMORY, "OrogenEngineOptions.memory");
    IS_OK(orogen_recipe_free(recipe));
    recipe = recipe_of(GIVEN);
    FAILS(orogen_layers(engine, recipe, &region, &layer, 1, &error), RECIPE, "kind 'given'");
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

static void exports(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(RECIPE);
    OrogenNoise *noise = NULL;
    OrogenExportOptions options = orogen_export_options();
    size_t length = 0, got = 0;
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    options.prefix = "hills";
    for (options.language = 0; options.language <= OROGEN_LANGUAGE_JS; options.language++) {
        uint8_t *file;
        IS_OK(orogen_noise_export(noise, &options, NULL, 0, &length, &error));
        CHECK(length > 100);
        file = calloc(length + 1, 1);
        CHECK(file != NULL);
        FAILS(orogen_noise_export(noise, &options, file, length - 1, &got, &error), SIZE, "is too small");
        CHECK(got == length && file[0] == 0);
        IS_OK(orogen_noise_export(noise, &options, file, length, &got, &error));
        CHECK(got == length && file[length] == 0);
        if (options.language == OROGEN_LANGUAGE_SPIRV) {
            CHECK(memcmp(file, "\x03\x02\x23\x07", 4) == 0);
        } else {
            CHECK(strstr((char *)file, "hills_value") != NULL);
        }
        free(file);
    }
    FAILS(orogen_noise_export(noise, &options, NULL, 0, &length, &error), ARGUMENT, "language = 10 is not allowed; allowed: 0 to 9");
    options.language = OROGEN_LANGUAGE_HLSL;
    options.storage = OROGEN_STORAGE_BUFFER;
    {
        static char text[1 << 20];
        IS_OK(orogen_noise_export_tables(noise, &options, text, sizeof text, &length, &error));
        CHECK(strlen(text) == length && strstr(text, "\"name\":\"hills_") != NULL);
    }
    options.storage = 2;
    FAILS(orogen_noise_export(noise, &options, NULL, 0, &length, &error), ARGUMENT, "storage = 2");
    options.storage = 0;
    options.entry = 2;
    FAILS(orogen_noise_export(noise, &options, NULL, 0, &length, &error), ARGUMENT, "entry = 2");
    options.entry = 0;
    options.prefix = "9 lives";
    FAILS(orogen_noise_export(noise, &options, NULL, 0, &length, &error), ARGUMENT, "prefix = '9 lives'");
    options.prefix = NULL;
    options.anchor[2] = NAN;
    FAILS(orogen_noise_export(noise, &options, NULL, 0, &length, &error), REGION, "anchor");
    IS_OK(orogen_noise_free(noise));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

/* Rivers: their lists fit together, and bad input is refused. */
static void rivers(void) {
    enum { SEGMENTS = 400, POINTS = 8000, RINGS = 2000, CORNERS = 20000 };
    static OrogenRiverSegment segments[SEGMENTS];
    static OrogenRing rings[RINGS];
    static OrogenLake lakes[RINGS];
    static OrogenBasin basins[RINGS];
    static double points[3 * POINTS], corners[2 * CORNERS];
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(WATER), *dry = recipe_of(RECIPE), *several = NULL;
    OrogenRegion world = orogen_region_plane(96, 80);
    OrogenRiverOptions options = orogen_river_options(60.0);
    OrogenRiverCounts counts;
    OrogenRivers *found = NULL;
    size_t length = 0, mouths = 0, next = 0;
    char *text;
    CHECK(options.area == 60.0 && options.basin == 60.0 && options.lake == 0.6 && options.width == 0.001 && options.smoothing == 4);
    IS_OK(orogen_rivers_find(engine, recipe, NULL, &world, &options, &found, &error));
    IS_OK(orogen_rivers_counts(found, &counts, &error));
    CHECK(counts.segments > 10 && counts.segments <= SEGMENTS && counts.points > counts.segments && counts.points <= POINTS);
    CHECK(counts.lakes > 2 && counts.basins > 2 && counts.rings >= counts.lakes + counts.basins && counts.rings <= RINGS);
    CHECK(counts.corners > 4 * counts.rings && counts.corners <= CORNERS);
    IS_OK(orogen_rivers_segments(found, segments, (size_t)counts.segments, &error));
    IS_OK(orogen_rivers_points(found, points, 3 * (size_t)counts.points, &error));
    IS_OK(orogen_rivers_lakes(found, lakes, (size_t)counts.lakes, &error));
    IS_OK(orogen_rivers_basins(found, basins, (size_t)counts.basins, &error));
    IS_OK(orogen_rivers_rings(found, rings, (size_t)counts.rings, &error));
    IS_OK(orogen_rivers_corners(found, corners, 2 * (size_t)counts.corners, &error));
    for (size_t i = 0; i < counts.segments; i++) {
        const double *line = &points[3 * segments[i].first_point];
        CHECK(segments[i].first_point == next && segments[i].point_count >= 2 && segments[i].order >= 1 && segments[i].area >= options.area);
        next += (size_t)segments[i].point_count;
        for (size_t at = 1; at < segments[i].point_count; at++) {
            CHECK(line[3 * at + 2] <= line[3 * at - 1]);
        }
        mouths += segments[i].into == OROGEN_MOUTH;
        for (size_t j = 0; j < counts.segments; j++) {
            /* The last point is the first of the segment that it flows into. */
            if (segments[j].id == segments[i].into) {
                CHECK(memcmp(&points[3 * (next - 1)], &points[3 * segments[j].first_point], 3 * sizeof *points) == 0);
            }
        }
    }
    CHECK(next == counts.points && mouths > 1);
    CHECK(lakes[0].first_ring == 0 && lakes[0].ring_count >= 1 && lakes[0].depth > 0 && basins[0].area >= options.basin);
    CHECK(basins[counts.basins - 1].first_ring + basins[counts.basins - 1].ring_count == counts.rings);
    for (size_t i = 0; i < counts.rings; i++) {
        const double *ring = &corners[2 * rings[i].first_corner];
        const double *last = &ring[2 * (rings[i].corner_count - 1)];
        CHECK(rings[i].hole <= 1 && ring[0] == last[0] && ring[1] == last[1]);
    }
    CHECK(rings[counts.rings - 1].first_corner + rings[counts.rings - 1].corner_count == counts.corners);

    IS_OK(orogen_rivers_geojson(found, NULL, 0, &length, &error));
    text = malloc(length + 1);
    CHECK(text != NULL);
    IS_OK(orogen_rivers_geojson(found, text, length + 1, NULL, &error));
    CHECK(strlen(text) == length && strstr(text, "\"kind\":\"river\"") != NULL && strstr(text, "\"kind\":\"lake\"") != NULL);
    FAILS(orogen_rivers_geojson(found, text, length, NULL, &error), SIZE, "too small");
    free(text);
    FAILS(orogen_rivers_segments(found, segments, 3, &error), SIZE, "segments of 3");
    FAILS(orogen_rivers_points(found, points, (size_t)counts.points, &error), SIZE, "points of");
    FAILS(orogen_rivers_lakes(found, NULL, (size_t)counts.lakes, &error), NULL, "lakes is NULL");
    FAILS(orogen_rivers_counts(found, NULL, &error), NULL, "counts");
    FAILS(orogen_rivers_counts((OrogenRivers *)(void *)recipe, &counts, &error), HANDLE, "rivers");
    IS_OK(orogen_rivers_free(found));

    FAILS(orogen_rivers_find(engine, recipe, "height", &world, &options, &found, &error), RECIPE, "stage = height");
    CHECK(found == NULL);
    FAILS(orogen_rivers_find(engine, dry, NULL, &world, &options, &found, &error), RECIPE, "no stage drainage");
    several = recipe_of("output = 'a'\n[node.n]\nkind = 'simplex'\n[stage.a]\nkind = 'drainage'\nof = 'n'\n[stage.b]\nkind = 'drainage'\nof = 'n'\n");
    FAILS(orogen_rivers_find(engine, several, NULL, &world, &options, &found, &error), RECIPE, "several stages drainage");
    options.lake = -1.0;
    FAILS(orogen_rivers_find(engine, recipe, "water", &world, &options, &found, &error), ARGUMENT, "lake = -1");
    options.lake = 0.0;
    options.smoothing = 65;
    FAILS(orogen_rivers_find(engine, recipe, "water", &world, &options, &found, &error), ARGUMENT, "smoothing = 65");
    FAILS(orogen_rivers_find(engine, recipe, "water", &world, NULL, &found, &error), NULL, "options");
    world.size[2] = 2;
    options.smoothing = 0;
    FAILS(orogen_rivers_find(engine, recipe, "water", &world, &options, &found, &error), REGION, "1 sample along z");
    IS_OK(orogen_rivers_free(NULL));
    IS_OK(orogen_recipe_free(several));
    IS_OK(orogen_recipe_free(dry));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
}

/* Invalid, freed and wrong handles. The test reads freed memory, which the sanitizer's allocator and glibc's keep readable; a program must
 * not rely on that. */
static void handles(void) {
    OrogenError error;
    OrogenEngine *engine = engine_on(OROGEN_BACKEND_CPU, OROGEN_THREADS_SHARED);
    OrogenRecipe *recipe = recipe_of(RECIPE);
    OrogenNoise *noise = NULL;
    uint64_t junk[4] = {1, 2, 3, 4};
    double value = 0;
    IS_OK(orogen_noise_prepare(engine, recipe, NULL, &noise, &error));
    FAILS(orogen_noise_value((OrogenNoise *)(void *)recipe, 0, 0, 0, &value, &error), HANDLE, "noise has been freed, or is a handle of another kind");
    IS_OK(orogen_noise_free(noise));
    FAILS(orogen_noise_prepare((OrogenEngine *)(void *)recipe, recipe, NULL, &noise, &error), HANDLE, "engine");
    CHECK(noise == NULL);
    CHECK(orogen_engine_free((OrogenEngine *)(void *)recipe) == OROGEN_STATUS_HANDLE);
    FAILS(orogen_noise_value((OrogenNoise *)(void *)junk, 0, 0, 0, &value, &error), HANDLE, "noise");
    FAILS(orogen_noise_value((OrogenNoise *)(void *)((char *)junk + 1), 0, 0, 0, &value, &error), HANDLE, "noise is not a handle");
    FAILS(orogen_noise_value(NULL, 0, 0, 0, &value, &error), NULL, "noise is NULL");
    IS_OK(orogen_engine_free(NULL));
    IS_OK(orogen_recipe_free(NULL));
    IS_OK(orogen_noise_free(NULL));
    IS_OK(orogen_recipe_free(recipe));
    CHECK(orogen_recipe_free(recipe) == OROGEN_STATUS_HANDLE);
    {
        char text[64];
        CHECK(orogen_recipe_output(recipe, text, sizeof text, NULL, &error) == OROGEN_STATUS_HANDLE);
    }
    IS_OK(orogen_engine_free(engine));
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    versions();
    engines();
    recipes();
    files(arguments[1]);
    regions();
    noises();
    parameters();
    times();
    together();
    layers();
    heights(arguments[1]);
    messages();
    exports();
    rivers();
    handles();
    printf("api: %d checks passed\n", checks);
    return 0;
}
