// Bakes from C++: bake RECIPE OUT. Exceptions of a progress function come out of the call, and the same call continues.

#include "check.h"
#include <orogen.hpp>

struct Enough {};

int main(int count, char **arguments) {
    CHECK(count == 3);
    OrogenEngineOptions options = orogen_engine_options();
    options.backend = OROGEN_BACKEND_CPU;
    const orogen::Engine engine(options);
    const orogen::Recipe recipe = orogen::Recipe::load(arguments[1]);
    const std::string out = arguments[2], choices = R"({"tile": 256, "tiles": "0..16,0..16", "overview": false})";
    bool thrown = false;
    try {
        orogen::bake(engine, recipe, out, choices, [](std::uint64_t, std::uint64_t) -> bool { throw Enough(); });
    } catch (const Enough &) {
        thrown = true;
    }
    CHECK(thrown);
    std::uint64_t last = 0;
    const orogen::Baked baked = orogen::bake(engine, recipe, out, choices, [&](std::uint64_t done, std::uint64_t) {
        last = done;
        return true;
    });
    CHECK(last == baked.tiles && baked.tiles == 256 && baked.written < 256 && baked.root.size() == 64);
    CHECK(orogen::check(out).find("\"findings\":[]") != std::string::npos);
    const orogen::World world = orogen::World::plan(engine, recipe, out + "-world", 2, R"({"tile": 32, "tiles": "0..3,0..1"})");
    world.measure(engine);
    CHECK(world.bake(engine, 1).tiles + world.bake(engine, 0).tiles == 3);
    const std::string root = world.seal().root;
    CHECK(root.size() == 64 && world.status().find(root) != std::string::npos);
    try {
        orogen::World(out + "-nowhere").bake(engine, 0);
        CHECK(!"a world without a plan is refused");
    } catch (const orogen::Error &error) {
        CHECK(error.status() == OROGEN_STATUS_BAKE);
    }
    std::printf("bake: %d checks passed in C++\n", checks);
}
