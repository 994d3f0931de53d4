/* Writes a tile of a recipe as `orogen bake --format r32` does: bits RECIPE OUT SIZE X Y X0 X1 Y0 Y1 BACKEND. It is tile (X, Y) in the
 * world of tiles X0..X1, Y0..Y1, computed by a backend of OrogenBackend. */

#include "check.h"

static long number(const char *text) { return strtol(text, NULL, 10); }

int main(int count, char **arguments) {
    OrogenError error;
    OrogenEngineOptions options = orogen_engine_options();
    OrogenEngine *engine = NULL;
    OrogenRecipe *recipe = NULL, *measured = NULL;
    OrogenRegion tile, *world;
    OrogenLayer layer;
    size_t channels = 0, regions = 0;
    FILE *file;
    CHECK(count == 11);
    options.backend = (int32_t)number(arguments[10]);
    IS_OK(orogen_engine_open(&options, &engine, &error));
    IS_OK(orogen_recipe_load(arguments[1], &recipe, &error));
    IS_OK(orogen_recipe_bake(recipe, &tile, NULL, &error));
    {
        const long size = number(arguments[3]);
        const long x0 = number(arguments[6]), x1 = number(arguments[7]), y0 = number(arguments[8]), y1 = number(arguments[9]);
        world = malloc((size_t)((x1 - x0) * (y1 - y0)) * sizeof *world);
        CHECK(world != NULL);
        tile.size[0] = tile.size[1] = (uint32_t)size;
        for (long y = y0; y < y1; y++) {
            for (long x = x0; x < x1; x++) {
                tile.origin[0] = x * size;
                tile.origin[1] = y * size;
                world[regions++] = tile;
            }
        }
        tile.origin[0] = number(arguments[4]) * size;
        tile.origin[1] = number(arguments[5]) * size;
    }
    IS_OK(orogen_recipe_measure(engine, recipe, world, regions, &measured, &error));
    IS_OK(orogen_recipe_channels(measured, NULL, &channels, &error));
    layer.name = NULL;
    layer.count = channels * tile.size[0] * tile.size[1];
    layer.values = malloc(layer.count * sizeof *layer.values);
    CHECK(layer.values != NULL);
    IS_OK(orogen_layers(engine, measured, &tile, &layer, 1, &error));
    file = fopen(arguments[2], "wb");
    CHECK(file != NULL && fwrite(layer.values, sizeof *layer.values, layer.count, file) == layer.count && fclose(file) == 0);

    /* If the output is a node, the noise itself has the same bits. */
    {
        OrogenNoise *noise = NULL;
        if (orogen_noise_prepare(engine, recipe, NULL, &noise, NULL) == OROGEN_STATUS_OK) {
            float *values = malloc(layer.count * sizeof *values);
            CHECK(values != NULL);
            IS_OK(orogen_noise_field(noise, &tile, values, layer.count, NULL, 0, &error));
            CHECK(memcmp(values, layer.values, layer.count * sizeof *values) == 0);
            free(values);
            IS_OK(orogen_noise_free(noise));
        }
    }
    free(layer.values);
    free(world);
    IS_OK(orogen_recipe_free(measured));
    IS_OK(orogen_recipe_free(recipe));
    IS_OK(orogen_engine_free(engine));
    return 0;
}
