/* Calls the interface with random bytes as recipe, names, numbers, heights and region. Every call must return a status, and none may
 * crash. Run by scripts/capi --fuzz. The recipe is the input up to the first byte 0; names and numbers are taken from its end. */

#include <orogen.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static OrogenEngine *engine = NULL;

/* Every status is allowed except that of a panic, which is a bug. */
static OrogenStatus answered(OrogenStatus status) {
    if (status == OROGEN_STATUS_PANIC) {
        abort();
    }
    return status;
}

/* Numbers and short names from the end of the input. */
typedef struct Rest {
    const uint8_t *start;
    size_t left;
} Rest;

static void take(Rest *rest, void *to, size_t size) {
    memset(to, 0, size);
    if (size > rest->left) {
        size = rest->left;
    }
    rest->left -= size;
    if (size > 0) {
        memcpy(to, rest->start + rest->left, size);
    }
}

static void use(OrogenRecipe *recipe, Rest rest) {
    enum { MOST = 4096 };
    static float values[MOST], gradients[3 * MOST], heights[16];
    static char text[1 << 14];
    OrogenError error;
    OrogenNoise *noise = NULL;
    OrogenRegion region;
    OrogenLayer layers[2];
    OrogenExportOptions options = orogen_export_options();
    char path[24], value[24];
    double number, positions[6], low, high;
    size_t length, channels, more, count = 0;
    uint64_t samples = 0;
    uint8_t choices[4];

    take(&rest, choices, sizeof choices);
    take(&rest, &number, sizeof number);
    take(&rest, positions, sizeof positions);
    take(&rest, path, sizeof path - 1);
    take(&rest, value, sizeof value - 1);
    path[sizeof path - 1] = value[sizeof value - 1] = 0;
    take(&rest, &region, sizeof region);
    take(&rest, heights, sizeof heights);
    /* Most random regions are invalid. Every other one is made valid and small. */
    if (choices[0] & 1) {
        region.size[0] = 1 + region.size[0] % 24;
        region.size[1] = 1 + region.size[1] % 24;
        region.size[2] = 1 + region.size[2] % 3;
        region.level %= 8;
        region.spacing = 1.0;
        region.anchor[0] = region.anchor[1] = region.anchor[2] = 0.0;
        region.origin[0] %= 1 << 20;
        region.origin[1] %= 1 << 20;
        region.origin[2] %= 1 << 20;
    }
    if (answered(orogen_region_check(&region, &samples, &error)) == OROGEN_STATUS_OK && samples <= MOST) {
        count = (size_t)samples;
    }

    answered(orogen_recipe_set_number(recipe, path, number, &error));
    answered(orogen_recipe_set_word(recipe, path, value, &error));
    answered(orogen_recipe_set_json(recipe, path, value, &error));
    answered(orogen_recipe_get_json(recipe, path, text, choices[1], &length, &error));
    /* 16 heights, as 4 x 4, as a row, and in shapes that do not fit. */
    answered(orogen_recipe_set_heights(recipe, choices[0] & 16 ? path : NULL, heights, 16, 1u << (choices[1] % 6), 16u >> (choices[1] % 6), &error));
    answered(orogen_recipe_toml(recipe, text, sizeof text, &length, &error));
    answered(orogen_recipe_channels(recipe, path, &channels, &error));
    answered(orogen_recipe_layer_name(recipe, choices[1], text, sizeof text, &length, &error));
    if (answered(orogen_recipe_channels(recipe, NULL, &channels, &error)) == OROGEN_STATUS_OK && channels <= 3 && count > 0 && count <= 64) {
        layers[0].name = NULL;
        layers[0].values = gradients;
        layers[0].count = count * channels;
        layers[1].name = path;
        layers[1].values = values;
        layers[1].count = 0;
        more = answered(orogen_recipe_channels(recipe, path, &channels, &error)) == OROGEN_STATUS_OK && channels <= 4;
        if (more) {
            layers[1].count = count * channels;
        }
        answered(orogen_layers(engine, recipe, &region, layers, 1 + more, &error));
    }
    if (count > 0 && region.size[2] == 1) {
        OrogenRiverOptions least = orogen_river_options(choices[2]);
        OrogenRivers *rivers = NULL;
        answered(orogen_rivers_find(engine, recipe, choices[0] & 32 ? path : NULL, &region, &least, &rivers, &error));
        if (rivers != NULL) {
            answered(orogen_rivers_geojson(rivers, text, sizeof text, &length, &error));
            answered(orogen_rivers_points(rivers, positions, 6, &error));
        }
        answered(orogen_rivers_free(rivers));
    }
    if (answered(orogen_noise_prepare(engine, recipe, choices[0] & 2 ? path : NULL, &noise, &error)) != OROGEN_STATUS_OK) {
        return;
    }
    answered(orogen_noise_set_json(noise, path, value, &error));
    answered(orogen_noise_set_number(noise, path, number, &error));
    if (answered(orogen_noise_range(noise, &low, &high, &error)) != OROGEN_STATUS_OK || !(low <= high)) {
        abort();
    }
    /* A count that is far too large, and the right one. */
    if (answered(orogen_noise_field(noise, &region, values, (size_t)1 << 60, NULL, 0, &error)) == OROGEN_STATUS_OK) {
        abort();
    }
    answered(orogen_noise_field(noise, &region, values, count, choices[0] & 4 ? gradients : NULL, choices[0] & 4 ? 3 * count : 0, &error));
    answered(orogen_noise_points(noise, positions, 2, values, 2, NULL, 0, &error));
    answered(orogen_noise_set_seed(noise, path, choices[1], &error));
    answered(orogen_noise_field_at(noise, &region, number, values, count, NULL, 0, &error));
    if (choices[0] & 8) {
        options.language = choices[2] % 6;
        options.storage = choices[3] % 3;
        options.anchor[0] = number;
        answered(orogen_noise_export(noise, &options, (uint8_t *)text, sizeof text, &length, &error));
    }
    if (answered(orogen_noise_free(noise)) != OROGEN_STATUS_OK) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    OrogenError error;
    OrogenRecipe *recipe = NULL;
    char *text;
    Rest rest;
    if (engine == NULL) {
        OrogenEngineOptions chosen = orogen_engine_options();
        chosen.backend = OROGEN_BACKEND_CPU;
        chosen.threads = OROGEN_THREADS_CALLER;
        chosen.memory = 1 << 24;
        if (orogen_engine_open(&chosen, &engine, &error) != OROGEN_STATUS_OK) {
            abort();
        }
    }
    text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = 0;
    rest.start = data;
    rest.left = size;
    if (orogen_recipe_parse(text, NULL, &recipe, &error) == OROGEN_STATUS_OK) {
        use(recipe, rest);
    } else if (recipe != NULL || error.message[0] == 0 || error.status == OROGEN_STATUS_PANIC) {
        abort();
    }
    if (orogen_recipe_free(recipe) != OROGEN_STATUS_OK) {
        abort();
    }
    free(text);
    return 0;
}
