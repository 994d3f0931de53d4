// Heights with gradients, a shader and a mistake: heightfield RECIPE. C++17.

#include <orogen.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "usage: heightfield RECIPE\n";
        return 2;
    }
    try {
        const orogen::Engine engine;
        const auto recipe = orogen::Recipe::load(arguments[1]);
        orogen::Noise noise(engine, recipe);
        std::cout << engine.describe() << "\n";

        const auto field = noise.field(orogen_region_tile(0, 0, 128), true);
        const auto [low, high] = std::minmax_element(field.values.begin(), field.values.end());
        const auto [least, most] = noise.range();
        std::cout << "heights " << *low << " to " << *high << ", proven " << least << " to " << most << "\n";
        double steepest = 0;
        for (std::size_t i = 0; i < field.values.size(); i++) {
            steepest = std::max(steepest, std::hypot(double(field.gradients[3 * i]), double(field.gradients[3 * i + 1])));
        }
        std::cout << "steepest " << steepest << "\n";
        if (double(*low) < least || double(*high) > most || field.values[0] != float(noise.value(0, 0)) || !(steepest > 0)) {
            std::cerr << "these do not fit together\n";
            return 1;
        }
        if (noise.points({0, 0, 0}).values[0] != field.values[0]) {
            std::cerr << "a point is not the sample there\n";
            return 1;
        }
        OrogenExportOptions options = orogen_export_options();
        options.language = OROGEN_LANGUAGE_HLSL;
        std::cout << "a shader of " << noise.shader(options).size() << " bytes, layers:";
        for (const auto &name : recipe.layer_names()) {
            std::cout << " " << name << "/" << recipe.channels(name);
        }
        std::cout << "\n";
        if (recipe.layer(engine, orogen_region_tile(0, 0, 128)).values != field.values) {
            std::cerr << "the layer is not the field\n";
            return 1;
        }

        // Heights from memory: here the field's own, which a stage then works on. Both layers are written to one buffer.
        auto copy = orogen::Recipe::parse("output = 'eroded'\n[node.ground]\nkind = 'raster'\nheights = 'memory'\n"
                                          "[stage.eroded]\nkind = 'thermal'\nof = 'ground'\niterations = 2\n");
        copy.set_heights("ground", field.values, 128, 128);
        std::vector<float> both(2 * field.values.size());
        const OrogenLayer requested[] = {{"ground", both.data(), field.values.size()},
                                         {"eroded", both.data() + field.values.size(), field.values.size()}};
        copy.layers_into(engine, orogen_region_tile(0, 0, 128), requested, 2);
        const auto apart = copy.layers(engine, orogen_region_tile(0, 0, 128), {"ground", "eroded"});
        std::vector<float> joined = apart[0].values;
        joined.insert(joined.end(), apart[1].values.begin(), apart[1].values.end());
        if (joined != both || apart[0].values == apart[1].values || copy.bake().second[0] == 0) {
            std::cerr << "layers at once are not the layers apart\n";
            return 1;
        }
        if (orogen::Recipe::parse(recipe.toml()).json() != recipe.json()) {
            std::cerr << "the recipe was not written as it is\n";
            return 1;
        }

        // Rivers of another recipe: the end of each line is the first point of the line that it flows into.
        const auto wet = orogen::Recipe::parse("output = 'water'\n[node.basis]\nkind = 'simplex'\nwavelength = 40.0\n"
                                               "[stage.water]\nkind = 'drainage'\nof = 'basis'\n");
        const orogen::Rivers rivers(engine, wet, orogen_region_plane(96, 80), orogen_river_options(200.0));
        const auto segments = rivers.segments();
        const auto points = rivers.points();
        for (const auto &segment : segments) {
            for (const auto &next : segments) {
                const auto end = segment.first_point + segment.point_count - 1;
                if (next.id == segment.into && points[3 * next.first_point] != points[3 * end]) {
                    std::cerr << "a river is interrupted\n";
                    return 1;
                }
            }
        }
        std::cout << segments.size() << " parts of rivers, " << rivers.lakes().size() << " lakes, " << rivers.basins().size() << " basins with "
                  << rivers.rings().size() << " rings and " << rivers.corners().size() / 2 << " corners, " << rivers.geojson().size()
                  << " bytes of GeoJSON\n";

        try {
            noise.set("nothing.here", 1);
        } catch (const orogen::Error &error) {
            std::cout << "as it should: " << error.what() << "\n";
            return error.status() == OROGEN_STATUS_PARAMETER ? 0 : 1;
        }
        std::cerr << "a parameter that there is not was set\n";
    } catch (const orogen::Error &error) {
        std::cerr << error.what() << " (status " << error.status() << ")\n";
    }
    return 1;
}
