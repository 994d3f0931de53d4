/* A tile of a recipe's heights as a picture: heightfield RECIPE OUT.pgm [SIZE]. C99. */

#include <orogen.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const char *what, const OrogenError *error) {
    fprintf(stderr, "%s: %s (status %d)\n", what, error->message, (int)error->status);
    return 1;
}

/* Grey levels from the lowest height to the highest, the first row of the file on top. */
static int write_pgm(const char *path, const float *values, size_t size) {
    float low = values[0], high = values[0];
    for (size_t i = 0; i < size * size; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    const float scale = high > low ? 255.0f / (high - low) : 0.0f;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    fprintf(file, "P5\n%zu %zu\n255\n", size, size);
    for (size_t i = 0; i < size * size; i++) {
        fputc((int)((values[i] - low) * scale + 0.5f), file);
    }
    printf("%s: %zu x %zu heights from %g to %g\n", path, size, size, (double)low, (double)high);
    return fclose(file) == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: heightfield RECIPE OUT.pgm [SIZE]\n");
        return 2;
    }
    const unsigned long size = count > 3 ? strtoul(arguments[3], NULL, 10) : 256;
    if (size < 1 || size > 4096) {
        fprintf(stderr, "SIZE = %lu is not allowed; allowed: 1 to 4096\n", size);
        return 2;
    }

    OrogenError error;
    OrogenEngine *engine = NULL;
    OrogenRecipe *recipe = NULL;
    OrogenNoise *noise = NULL;
    float *values = malloc(size * size * sizeof *values);
    int result = 1;

    /* Zeros are the defaults: the best GPU, else the CPU. */
    if (values == NULL) {
        fprintf(stderr, "no memory for %lu x %lu heights\n", size, size);
    } else if (orogen_engine_open(NULL, &engine, &error) != OROGEN_STATUS_OK) {
        result = failed("engine", &error);
    } else if (orogen_recipe_load(arguments[1], &recipe, &error) != OROGEN_STATUS_OK) {
        result = failed("recipe", &error);
    } else if (orogen_noise_prepare(engine, recipe, NULL, &noise, &error) != OROGEN_STATUS_OK) {
        result = failed("noise", &error);
    } else {
        const OrogenRegion tile = orogen_region_tile(0, 0, (uint32_t)size);
        if (orogen_noise_field(noise, &tile, values, size * size, NULL, 0, &error) != OROGEN_STATUS_OK) {
            result = failed("field", &error);
        } else {
            result = write_pgm(arguments[2], values, size);
        }
    }

    /* NULL is allowed. */
    orogen_noise_free(noise);
    orogen_recipe_free(recipe);
    orogen_engine_free(engine);
    free(values);
    return result;
}
