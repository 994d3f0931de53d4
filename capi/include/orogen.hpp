// Orogen for C++17: handles that free themselves, and errors as exceptions. Header only. orogen.h documents every function in detail.

#ifndef OROGEN_HPP
#define OROGEN_HPP

#include <orogen.h>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace orogen {

/// A call failed. The message states the value and what is allowed.
class Error : public std::runtime_error {
public:
    Error(OrogenStatus status, const char *message) : std::runtime_error(message), status_(status) {}
    OrogenStatus status() const noexcept { return status_; }

private:
    OrogenStatus status_;
};

namespace detail {

/// Calls a function of orogen.h, and throws its error.
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
    OrogenError error;
    const OrogenStatus status = function(arguments..., &error);
    if (status != OROGEN_STATUS_OK) {
        throw Error(status, error.message);
    }
}

/// Calls a function that writes text: first for its length, then with a buffer, again if the text grew meanwhile.
template <class Function, class... Arguments>
std::string text(Function function, Arguments... arguments) {
    std::size_t length = 0;
    call(function, arguments..., static_cast<char *>(nullptr), std::size_t{0}, &length);
    for (;;) {
        std::string found(length + 1, '\0');
        OrogenError error;
        const OrogenStatus status = function(arguments..., found.data(), found.size(), &length, &error);
        if (status == OROGEN_STATUS_OK) {
            found.resize(length);
            return found;
        }
        if (status != OROGEN_STATUS_SIZE || length < found.size()) {
            throw Error(status, error.message);
        }
    }
}

inline const char *or_null(const std::string &text) { return text.empty() ? nullptr : text.c_str(); }

struct Free {
    void operator()(OrogenEngine *engine) const noexcept { orogen_engine_free(engine); }
    void operator()(OrogenRecipe *recipe) const noexcept { orogen_recipe_free(recipe); }
    void operator()(OrogenNoise *noise) const noexcept { orogen_noise_free(noise); }
    void operator()(OrogenNoises *noises) const noexcept { orogen_noises_free(noises); }
    void operator()(OrogenRivers *rivers) const noexcept { orogen_rivers_free(rivers); }
};

template <class T>
using Handle = std::unique_ptr<T, Free>;

} // namespace detail

/// Number of samples of a region. Throws if the region is invalid.
inline std::size_t samples(const OrogenRegion &region) {
    std::uint64_t count = 0;
    detail::call(orogen_region_check, &region, &count);
    return static_cast<std::size_t>(count);
}

/// Parameters by name, and numbers to set them to.
using Numbers = std::vector<std::pair<std::string, double>>;

namespace detail {

inline std::vector<OrogenNumber> numbers(const Numbers &changes) {
    std::vector<OrogenNumber> all;
    for (const auto &change : changes) {
        all.push_back({change.first.c_str(), change.second});
    }
    return all;
}

inline std::size_t points_of(const std::vector<double> &positions, std::size_t numbers) {
    if (positions.size() % numbers != 0) {
        throw Error(OROGEN_STATUS_SIZE, numbers == 3 ? "positions must contain three numbers per point" : "positions must contain four numbers per point");
    }
    return positions.size() / numbers;
}

} // namespace detail

/// One value per sample, and three numbers per gradient if gradients were requested.
struct Field {
    std::vector<float> values;
    std::vector<float> gradients;
};

/// Values of a layer: the channels of each sample next to each other.
struct Layer {
    std::size_t channels = 1;
    std::vector<float> values;
};

class Engine {
public:
    explicit Engine(const OrogenEngineOptions &options = orogen_engine_options()) {
        OrogenEngine *engine = nullptr;
        detail::call(orogen_engine_open, &options, &engine);
        handle_.reset(engine);
    }
    /// Backend, adapter and parity as a JSON object.
    std::string describe() const { return detail::text(orogen_engine_describe, get()); }
    const OrogenEngine *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<OrogenEngine> handle_;
};

class Recipe {
public:
    /// Parses TOML or JSON. `folder` contains the files that raster nodes name; if it is empty, none is read.
    static Recipe parse(const std::string &text, const std::string &folder = {}) {
        OrogenRecipe *recipe = nullptr;
        detail::call(orogen_recipe_parse, text.c_str(), detail::or_null(folder), &recipe);
        return Recipe(recipe);
    }
    static Recipe load(const std::string &path) {
        OrogenRecipe *recipe = nullptr;
        detail::call(orogen_recipe_load, path.c_str(), &recipe);
        return Recipe(recipe);
    }
    std::string toml() const { return detail::text(orogen_recipe_toml, get()); }
    std::string json() const { return detail::text(orogen_recipe_json, get()); }
    std::string output() const { return detail::text(orogen_recipe_output, get()); }
    /// Names of all layers: outputs of stages, then nodes.
    std::vector<std::string> layer_names() const {
        std::size_t count = 0;
        detail::call(orogen_recipe_layer_count, get(), &count);
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; i++) {
            names.push_back(detail::text(orogen_recipe_layer_name, get(), i));
        }
        return names;
    }
    std::size_t channels(const std::string &layer = {}) const {
        std::size_t channels = 0;
        detail::call(orogen_recipe_channels, get(), detail::or_null(layer), &channels);
        return channels;
    }
    /// Sets a live parameter, "node.parameter" or "stage.parameter".
    void set(const std::string &path, double value) { detail::call(orogen_recipe_set_number, handle_.get(), path.c_str(), value); }
    void set_seed(const std::string &path, std::uint64_t seed) { detail::call(orogen_recipe_set_seed, handle_.get(), path.c_str(), seed); }
    void set_word(const std::string &path, const std::string &word) {
        detail::call(orogen_recipe_set_word, handle_.get(), path.c_str(), word.c_str());
    }
    void set_json(const std::string &path, const std::string &json) {
        detail::call(orogen_recipe_set_json, handle_.get(), path.c_str(), json.c_str());
    }
    std::string get_json(const std::string &path) const { return detail::text(orogen_recipe_get_json, get(), path.c_str()); }
    /// The bake section: tile (0, 0) of its world, and the number of tiles along x and y.
    std::pair<OrogenRegion, std::array<std::uint32_t, 2>> bake() const {
        OrogenRegion tile;
        std::array<std::uint32_t, 2> tiles;
        detail::call(orogen_recipe_bake, get(), &tile, tiles.data());
        return {tile, tiles};
    }
    /// Gives a raster node heights from memory, which are copied: `rows` rows of `columns` numbers, along x.
    void set_heights(const std::string &node, const float *values, std::size_t count, std::uint32_t columns, std::uint32_t rows) {
        detail::call(orogen_recipe_set_heights, handle_.get(), detail::or_null(node), values, count, columns, rows);
    }
    void set_heights(const std::string &node, const std::vector<float> &values, std::uint32_t columns, std::uint32_t rows) {
        set_heights(node, values.data(), values.size(), columns, rows);
    }
    /// Measures the world for stages that depend on it, and returns a recipe whose tiles match.
    Recipe measured(const Engine &engine, const std::vector<OrogenRegion> &world) const {
        OrogenRecipe *recipe = nullptr;
        detail::call(orogen_recipe_measure, engine.get(), get(), world.data(), world.size(), &recipe);
        return Recipe(recipe);
    }
    /// Computes one layer; without a name the recipe's output.
    Layer layer(const Engine &engine, const OrogenRegion &region, const std::string &name = {}) const {
        return std::move(layers(engine, region, {name}).front());
    }
    /// Computes several layers at once. Stages that several of them need run once.
    std::vector<Layer> layers(const Engine &engine, const OrogenRegion &region, const std::vector<std::string> &names) const {
        std::vector<Layer> found(names.size());
        std::vector<OrogenLayer> requested(names.size());
        for (std::size_t i = 0; i < names.size(); i++) {
            found[i].channels = channels(names[i]);
            found[i].values.resize(samples(region) * found[i].channels);
            requested[i] = {detail::or_null(names[i]), found[i].values.data(), found[i].values.size()};
        }
        layers_into(engine, region, requested.data(), requested.size());
        return found;
    }
    /// Computes several layers at once and writes them to memory of the caller. Allocates nothing itself.
    void layers_into(const Engine &engine, const OrogenRegion &region, const OrogenLayer *layers, std::size_t count) const {
        detail::call(orogen_layers, engine.get(), get(), &region, layers, count);
    }
    const OrogenRecipe *get() const noexcept { return handle_.get(); }

private:
    explicit Recipe(OrogenRecipe *recipe) : handle_(recipe) {}
    detail::Handle<OrogenRecipe> handle_;
};

class Noise {
public:
    /// Prepares the noise of a node; without a name of the recipe's output.
    Noise(const Engine &engine, const Recipe &recipe, const std::string &node = {}) {
        OrogenNoise *noise = nullptr;
        detail::call(orogen_noise_prepare, engine.get(), recipe.get(), detail::or_null(node), &noise);
        handle_.reset(noise);
    }
    /// Proven bounds of the values.
    std::pair<double, double> range() const {
        double low = 0, high = 0;
        detail::call(orogen_noise_range, get(), &low, &high);
        return {low, high};
    }
    double value(double x, double y, double z = 0) const {
        double value = 0;
        detail::call(orogen_noise_value, get(), x, y, z, &value);
        return value;
    }
    /// The value at a fourth coordinate, such as time.
    double value_at(double x, double y, double z, double w) const {
        double value = 0;
        detail::call(orogen_noise_value_at, get(), x, y, z, w, &value, static_cast<double *>(nullptr));
        return value;
    }
    /// Value, and gradient per world unit along x, y and z.
    std::pair<double, std::array<double, 3>> value_with_gradient(double x, double y, double z = 0, double w = 0) const {
        std::pair<double, std::array<double, 3>> found{};
        detail::call(orogen_noise_value_at, get(), x, y, z, w, &found.first, found.second.data());
        return found;
    }
    Field field(const OrogenRegion &region, bool gradient = false) const {
        Field field;
        field.values.resize(samples(region));
        field.gradients.resize(gradient ? 3 * field.values.size() : 0);
        detail::call(orogen_noise_field, get(), &region, field.values.data(), field.values.size(), gradients(field), field.gradients.size());
        return field;
    }
    /// Writes values, and gradients if there is memory for them, to memory of the caller.
    void field_into(const OrogenRegion &region, float *values, std::size_t count, float *gradients = nullptr,
                    std::size_t gradient_count = 0) const {
        detail::call(orogen_noise_field, get(), &region, values, count, gradients, gradient_count);
    }
    /// As `field_into`, at a fourth coordinate, such as time.
    void field_at_into(const OrogenRegion &region, double w, float *values, std::size_t count, float *gradients = nullptr,
                       std::size_t gradient_count = 0) const {
        detail::call(orogen_noise_field_at, get(), &region, w, values, count, gradients, gradient_count);
    }
    /// Evaluates at positions of three numbers each.
    Field points(const std::vector<double> &positions, bool gradient = false) const {
        Field field;
        field.values.resize(detail::points_of(positions, 3));
        field.gradients.resize(gradient ? positions.size() : 0);
        detail::call(orogen_noise_points, get(), positions.data(), field.values.size(), field.values.data(), field.values.size(),
                     gradients(field), field.gradients.size());
        return field;
    }
    /// As `points`, with memory of the caller. `count` is the number of points.
    void points_into(const double *positions, std::size_t count, float *values, float *gradients = nullptr) const {
        detail::call(orogen_noise_points, get(), positions, count, values, count, gradients, gradients == nullptr ? 0 : 3 * count);
    }
    /// Evaluates at positions of four numbers each; the last is a fourth coordinate, such as time.
    std::vector<float> points_4d(const std::vector<double> &positions) const {
        std::vector<float> values(detail::points_of(positions, 4));
        points_4d_into(positions.data(), values.size(), values.data());
        return values;
    }
    /// As `points_4d`, with memory of the caller. `count` is the number of points.
    void points_4d_into(const double *positions, std::size_t count, float *values) const {
        detail::call(orogen_noise_points_4d, get(), positions, count, values, count);
    }
    /// Sets several live parameters at once.
    void set_all(const Numbers &changes) {
        const auto all = detail::numbers(changes);
        detail::call(orogen_noise_set_numbers, handle_.get(), all.data(), all.size());
    }
    void set_seed(const std::string &path, std::uint64_t seed) { detail::call(orogen_noise_set_seed, handle_.get(), path.c_str(), seed); }
    /// Sets a live parameter, "node.parameter".
    void set(const std::string &path, double value) { detail::call(orogen_noise_set_number, handle_.get(), path.c_str(), value); }
    void set_word(const std::string &path, const std::string &word) {
        detail::call(orogen_noise_set_word, handle_.get(), path.c_str(), word.c_str());
    }
    void set_json(const std::string &path, const std::string &json) {
        detail::call(orogen_noise_set_json, handle_.get(), path.c_str(), json.c_str());
    }
    std::string get_json(const std::string &path) const { return detail::text(orogen_noise_get_json, get(), path.c_str()); }
    /// Contents of the storage buffers of an export with the same options, as a JSON object.
    std::string shader_tables(const OrogenExportOptions &options) const { return detail::text(orogen_noise_export_tables, get(), &options); }
    /// Source code, or the bytes of SPIR-V.
    std::string shader(const OrogenExportOptions &options = orogen_export_options()) const {
        std::size_t length = 0;
        detail::call(orogen_noise_export, get(), &options, static_cast<std::uint8_t *>(nullptr), std::size_t{0}, &length);
        std::string file(length, '\0');
        detail::call(orogen_noise_export, get(), &options, reinterpret_cast<std::uint8_t *>(file.data()), file.size(), &length);
        file.resize(length);
        return file;
    }
    const OrogenNoise *get() const noexcept { return handle_.get(); }

private:
    static float *gradients(Field &field) { return field.gradients.empty() ? nullptr : field.gradients.data(); }
    detail::Handle<OrogenNoise> handle_;
};

/// Several noises, prepared together: nodes that several of them have are evaluated once.
class Noises {
public:
    /// Prepares the noises of nodes; an empty name is the recipe's output.
    Noises(const Engine &engine, const Recipe &recipe, const std::vector<std::string> &nodes) : count_(nodes.size()) {
        std::vector<const char *> names;
        for (const auto &node : nodes) {
            names.push_back(detail::or_null(node));
        }
        OrogenNoises *noises = nullptr;
        detail::call(orogen_noises_prepare, engine.get(), recipe.get(), names.data(), names.size(), &noises);
        handle_.reset(noises);
    }
    /// Number of noises, and of values per sample.
    std::size_t count() const noexcept { return count_; }
    /// Values of a region: those of a sample next to each other.
    std::vector<float> field(const OrogenRegion &region) const {
        std::vector<float> values(samples(region) * count_);
        field_into(region, values.data(), values.size());
        return values;
    }
    /// Writes values to memory of the caller.
    void field_into(const OrogenRegion &region, float *values, std::size_t count) const {
        detail::call(orogen_noises_field, get(), &region, values, count);
    }
    /// Values at positions of three numbers each.
    std::vector<float> points(const std::vector<double> &positions) const {
        const std::size_t points = detail::points_of(positions, 3);
        std::vector<float> values(points * count_);
        points_into(positions.data(), points, values.data());
        return values;
    }
    /// As `points`, with memory of the caller. `count` is the number of points.
    void points_into(const double *positions, std::size_t count, float *values) const {
        detail::call(orogen_noises_points, get(), positions, count, values, count * count_);
    }
    /// Sets several live parameters at once, for all noises that have the node.
    void set_all(const Numbers &changes) {
        const auto all = detail::numbers(changes);
        detail::call(orogen_noises_set_numbers, handle_.get(), all.data(), all.size());
    }
    const OrogenNoises *get() const noexcept { return handle_.get(); }

private:
    std::size_t count_;
    detail::Handle<OrogenNoises> handle_;
};

/// Rivers, lakes and basins of a recipe's world. orogen.h describes the elements of the lists.
class Rivers {
public:
    /// Follows the water of a world. `stage` is the name of a stage `drainage`; if it is empty, the recipe's only one.
    Rivers(const Engine &engine, const Recipe &recipe, const OrogenRegion &world, const OrogenRiverOptions &options,
           const std::string &stage = {}) {
        OrogenRivers *rivers = nullptr;
        detail::call(orogen_rivers_find, engine.get(), recipe.get(), detail::or_null(stage), &world, &options, &rivers);
        handle_.reset(rivers);
    }
    /// Lengths of all lists.
    OrogenRiverCounts counts() const {
        OrogenRiverCounts counts;
        detail::call(orogen_rivers_counts, get(), &counts);
        return counts;
    }
    std::vector<OrogenRiverSegment> segments() const { return list<OrogenRiverSegment>(orogen_rivers_segments, counts().segments); }
    /// Points of all segments: three numbers each.
    std::vector<double> points() const { return list<double>(orogen_rivers_points, 3 * counts().points); }
    std::vector<OrogenLake> lakes() const { return list<OrogenLake>(orogen_rivers_lakes, counts().lakes); }
    std::vector<OrogenBasin> basins() const { return list<OrogenBasin>(orogen_rivers_basins, counts().basins); }
    /// Rings of the outlines of lakes, then of basins.
    std::vector<OrogenRing> rings() const { return list<OrogenRing>(orogen_rivers_rings, counts().rings); }
    /// Corners of all rings: two numbers each.
    std::vector<double> corners() const { return list<double>(orogen_rivers_corners, 2 * counts().corners); }
    /// Everything as GeoJSON.
    std::string geojson() const { return detail::text(orogen_rivers_geojson, get()); }
    const OrogenRivers *get() const noexcept { return handle_.get(); }

private:
    template <class T>
    std::vector<T> list(OrogenStatus (*write)(const OrogenRivers *, T *, std::size_t, OrogenError *), std::uint64_t count) const {
        std::vector<T> found(static_cast<std::size_t>(count));
        detail::call(write, get(), found.data(), found.size());
        return found;
    }
    detail::Handle<OrogenRivers> handle_;
};

/// Receives progress and returns whether to go on. It is called from other threads, one call at a time. If it throws, the call stops and
/// throws the same exception.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// The result of a bake. `root` is the hash of all tiles, and empty if there is none.
struct Baked {
    std::uint64_t tiles = 0;
    std::uint64_t written = 0;
    std::uint64_t damaged = 0;
    std::string root;
};

namespace detail {

/// A progress function as C calls it, which must not throw.
class Caller {
public:
    explicit Caller(const Progress &progress) : progress_(progress) {}
    OrogenProgress function() const noexcept { return progress_ ? &call : nullptr; }
    /// Runs a call, and throws what the progress function has thrown.
    template <class Call>
    void run(Call call) {
        try {
            call();
        } catch (const Error &) {
            if (thrown_) {
                std::rethrow_exception(thrown_);
            }
            throw;
        }
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }

private:
    static std::int32_t call(void *user, std::uint64_t done, std::uint64_t total) {
        Caller &self = *static_cast<Caller *>(user);
        try {
            return self.progress_(done, total) ? 0 : 1;
        } catch (...) {
            self.thrown_ = std::current_exception();
            return 1;
        }
    }
    const Progress &progress_;
    std::exception_ptr thrown_;
};

inline Baked baked(const OrogenBaked &baked) { return {baked.tiles, baked.written, baked.damaged, baked.root}; }

} // namespace detail

/// Bakes a recipe into the folder `out`. `options` is an object of JSON, or empty; orogen_bake describes it.
inline Baked bake(const Engine &engine, const Recipe &recipe, const std::string &out, const std::string &options = {},
                  const Progress &progress = {}) {
    OrogenBaked found;
    detail::Caller caller(progress);
    caller.run([&] {
        detail::call(orogen_bake, engine.get(), recipe.get(), detail::or_null(options), out.c_str(), caller.function(),
                     static_cast<void *>(&caller), &found);
    });
    return detail::baked(found);
}

/// Reads every file of a bake back: an object of JSON, which orogen_bake_check describes.
inline std::string check(const std::string &world) {
    return detail::text(orogen_bake_check, static_cast<const OrogenEngine *>(nullptr), world.c_str(), 0.0, std::uint64_t{0},
                        static_cast<OrogenProgress>(nullptr), static_cast<void *>(nullptr));
}

/// A world of shards, which any number of processes bake.
class World {
public:
    /// A world that was planned. Opens nothing until a function is called.
    explicit World(std::string path) : path_(std::move(path)) {}
    /// Plans a world in `shards` pieces.
    static World plan(const Engine &engine, const Recipe &recipe, const std::string &path, std::uint32_t shards,
                      const std::string &options = {}) {
        detail::call(orogen_bake_plan, engine.get(), recipe.get(), detail::or_null(options), path.c_str(), shards);
        return World(path);
    }
    /// Measures a shard's part of the next phase; without a number everything that is missing.
    void measure(const Engine &engine, std::uint32_t shard = OROGEN_ALL_SHARDS, const Progress &progress = {}) const {
        detail::Caller caller(progress);
        caller.run([&] {
            detail::call(orogen_bake_measure, engine.get(), path_.c_str(), shard, caller.function(), static_cast<void *>(&caller));
        });
    }
    Baked bake(const Engine &engine, std::uint32_t shard, const Progress &progress = {}) const {
        OrogenBaked found;
        detail::Caller caller(progress);
        caller.run([&] {
            detail::call(orogen_bake_shard, engine.get(), path_.c_str(), shard, caller.function(), static_cast<void *>(&caller), &found);
        });
        return detail::baked(found);
    }
    /// The state of the world: an object of JSON, which orogen_bake_status describes.
    std::string status() const { return detail::text(orogen_bake_status, path_.c_str()); }
    Baked seal(const Progress &progress = {}) const {
        OrogenBaked found;
        detail::Caller caller(progress);
        caller.run([&] { detail::call(orogen_bake_seal, path_.c_str(), caller.function(), static_cast<void *>(&caller), &found); });
        return detail::baked(found);
    }

private:
    std::string path_;
};

} // namespace orogen

#endif
