/* Finds the rivers, lakes and basins of a recipe with a stage drainage, writes them as GeoJSON, and describes the largest river: rivers
 * RECIPE FILE SIZE. The world has SIZE x SIZE samples. C99. */

#include <orogen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Describes the river with the most water, from its mouth upwards. */
static OrogenStatus describe(const OrogenRivers *rivers, const OrogenRiverCounts *counts, OrogenError *error) {
    OrogenRiverSegment *segments = malloc((size_t)counts->segments * sizeof *segments + 1);
    double *points = malloc((size_t)counts->points * 3 * sizeof *points + 1);
    OrogenStatus status = OROGEN_STATUS_MEMORY;
    if (segments != NULL && points != NULL) {
        status = orogen_rivers_segments(rivers, segments, (size_t)counts->segments, error);
    }
    if (status == OROGEN_STATUS_OK) {
        status = orogen_rivers_points(rivers, points, (size_t)counts->points * 3, error);
    }
    if (status == OROGEN_STATUS_OK && counts->segments > 0) {
        const OrogenRiverSegment *largest = &segments[0];
        const double *mouth;
        size_t parts = 0;
        for (size_t i = 0; i < counts->segments; i++) {
            if (segments[i].into == OROGEN_MOUTH && segments[i].area > largest->area) {
                largest = &segments[i];
            }
        }
        for (size_t i = 0; i < counts->segments; i++) {
            parts += segments[i].river == largest->id;
        }
        mouth = &points[3 * (largest->first_point + largest->point_count - 1)];
        printf("the largest river has %zu segments, order %u and a width of %g; its mouth is at %g, %g\n", parts, (unsigned)largest->order,
               largest->width, mouth[0], mouth[1]);
    }
    free(points);
    free(segments);
    return status;
}

/* Writes GeoJSON to a file. */
static OrogenStatus save(const OrogenRivers *rivers, const char *path, OrogenError *error) {
    size_t length = 0;
    char *text;
    FILE *file;
    OrogenStatus status = orogen_rivers_geojson(rivers, NULL, 0, &length, error);
    if (status != OROGEN_STATUS_OK) {
        return status;
    }
    text = malloc(length + 1);
    if (text == NULL) {
        return OROGEN_STATUS_MEMORY;
    }
    status = orogen_rivers_geojson(rivers, text, length + 1, NULL, error);
    if (status == OROGEN_STATUS_OK) {
        file = fopen(path, "wb");
        if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0) {
            fprintf(stderr, "%s: cannot be written\n", path);
            status = OROGEN_STATUS_FILE;
        }
    }
    free(text);
    return status;
}

int main(int count, char **arguments) {
    OrogenError error;
    OrogenEngine *engine = NULL;
    OrogenRecipe *recipe = NULL;
    OrogenRivers *rivers = NULL;
    OrogenRegion world;
    OrogenRiverOptions options;
    OrogenRiverCounts counts;
    int result = 1;
    if (count != 4) {
        fprintf(stderr, "usage: rivers RECIPE FILE SIZE\n");
        return 2;
    }
    memset(&error, 0, sizeof error);
    if (orogen_engine_open(NULL, &engine, &error) == OROGEN_STATUS_OK && orogen_recipe_load(arguments[1], &recipe, &error) == OROGEN_STATUS_OK &&
        orogen_recipe_bake(recipe, &world, NULL, &error) == OROGEN_STATUS_OK) {
        /* The spacing is that of the recipe. Rivers drain at least a thousandth of the world. */
        world.size[0] = world.size[1] = (uint32_t)strtoul(arguments[3], NULL, 10);
        options = orogen_river_options(world.size[0] * world.spacing * (world.size[1] * world.spacing) / 1000.0);
        if (orogen_rivers_find(engine, recipe, NULL, &world, &options, &rivers, &error) == OROGEN_STATUS_OK &&
            orogen_rivers_counts(rivers, &counts, &error) == OROGEN_STATUS_OK) {
            printf("%g segments, %g lakes, %g basins\n", (double)counts.segments, (double)counts.lakes, (double)counts.basins);
            if (describe(rivers, &counts, &error) == OROGEN_STATUS_OK && save(rivers, arguments[2], &error) == OROGEN_STATUS_OK) {
                result = 0;
            }
        }
    }
    if (result != 0 && error.message[0] != 0) {
        fprintf(stderr, "%s\n", error.message);
    }
    orogen_rivers_free(rivers);
    orogen_recipe_free(recipe);
    orogen_engine_free(engine);
    return result;
}
