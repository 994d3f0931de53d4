// Orogen for C++17: handles that free themselves, and errors that are thrown. Header only, over orogen.h, which says what everything means.

#ifndef OROGEN_HPP
#define OROGEN_HPP

#include <orogen.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace orogen {

/// What went wrong: the message, and the status as a number.
class Error : public std::runtime_error {
public:
    Error(OrogenStatus status, const char *message) : std::runtime_error(message), status_(status) {}
    OrogenStatus status() const noexcept { return status_; }

private:
    OrogenStatus status_;
};

namespace detail {

/// Calls a function of the interface with its arguments and a place for its message; throws what it says.
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
    OrogenError error;
    const OrogenStatus status = function(arguments..., &error);
    if (status != OROGEN_STATUS_OK) {
        throw Error(status, error.message);
    }
}

/// Text of a function that gives some: once for its length, and again should it have grown meanwhile.
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
};

template <class T>
using Handle = std::unique_ptr<T, Free>;

} // namespace detail

/// Samples of a region: throws where a number of it is not allowed.
inline std::size_t samples(const OrogenRegion &region) {
    std::uint64_t count = 0;
    detail::call(orogen_region_check, &region, &count);
    return static_cast<std::size_t>(count);
}

/// Values, and gradients (three numbers each) where they were asked for.
struct Field {
    std::vector<float> values;
    std::vector<float> gradients;
};

/// Numbers of a layer, so many for each sample.
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
    /// What it runs on, as JSON.
    std::string describe() const { return detail::text(orogen_engine_describe, get()); }
    const OrogenEngine *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<OrogenEngine> handle_;
};

class Recipe {
public:
    /// Of TOML or JSON. Without a folder, files that it names are not read.
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
    /// All that can be asked for as a layer.
    std::vector<std::string> layers() const {
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
    void set(const std::string &path, double value) { detail::call(orogen_recipe_set_number, handle_.get(), path.c_str(), value); }
    void set_word(const std::string &path, const std::string &word) {
        detail::call(orogen_recipe_set_word, handle_.get(), path.c_str(), word.c_str());
    }
    void set_json(const std::string &path, const std::string &json) {
        detail::call(orogen_recipe_set_json, handle_.get(), path.c_str(), json.c_str());
    }
    std::string get_json(const std::string &path) const { return detail::text(orogen_recipe_get_json, get(), path.c_str()); }
    /// Another recipe, whose stages know what they need of a world.
    Recipe measured(const Engine &engine, const std::vector<OrogenRegion> &world) const {
        OrogenRecipe *recipe = nullptr;
        detail::call(orogen_recipe_measure, engine.get(), get(), world.data(), world.size(), &recipe);
        return Recipe(recipe);
    }
    /// One layer; without a name the output.
    Layer layer(const Engine &engine, const OrogenRegion &region, const std::string &name = {}) const {
        Layer layer;
        layer.channels = channels(name);
        layer.values.resize(samples(region) * layer.channels);
        const OrogenLayer asked = {detail::or_null(name), layer.values.data(), layer.values.size()};
        detail::call(orogen_layers, engine.get(), get(), &region, &asked, std::size_t{1});
        return layer;
    }
    const OrogenRecipe *get() const noexcept { return handle_.get(); }

private:
    explicit Recipe(OrogenRecipe *recipe) : handle_(recipe) {}
    detail::Handle<OrogenRecipe> handle_;
};

class Noise {
public:
    /// Of a recipe's node; without a name of its output.
    Noise(const Engine &engine, const Recipe &recipe, const std::string &node = {}) {
        OrogenNoise *noise = nullptr;
        detail::call(orogen_noise_prepare, engine.get(), recipe.get(), detail::or_null(node), &noise);
        handle_.reset(noise);
    }
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
    Field field(const OrogenRegion &region, bool gradient = false) const {
        Field field;
        field.values.resize(samples(region));
        field.gradients.resize(gradient ? 3 * field.values.size() : 0);
        detail::call(orogen_noise_field, get(), &region, field.values.data(), field.values.size(), gradients(field), field.gradients.size());
        return field;
    }
    /// Into memory of one's own.
    void field_into(const OrogenRegion &region, float *values, std::size_t count) const {
        detail::call(orogen_noise_field, get(), &region, values, count, static_cast<float *>(nullptr), std::size_t{0});
    }
    /// Positions are three numbers each.
    Field points(const std::vector<double> &positions, bool gradient = false) const {
        if (positions.size() % 3 != 0) {
            throw Error(OROGEN_STATUS_SIZE, "positions are not three numbers each");
        }
        Field field;
        field.values.resize(positions.size() / 3);
        field.gradients.resize(gradient ? positions.size() : 0);
        detail::call(orogen_noise_points, get(), positions.data(), field.values.size(), field.values.data(), field.values.size(),
                     gradients(field), field.gradients.size());
        return field;
    }
    void set(const std::string &path, double value) { detail::call(orogen_noise_set_number, handle_.get(), path.c_str(), value); }
    void set_word(const std::string &path, const std::string &word) {
        detail::call(orogen_noise_set_word, handle_.get(), path.c_str(), word.c_str());
    }
    void set_json(const std::string &path, const std::string &json) {
        detail::call(orogen_noise_set_json, handle_.get(), path.c_str(), json.c_str());
    }
    std::string get_json(const std::string &path) const { return detail::text(orogen_noise_get_json, get(), path.c_str()); }
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

} // namespace orogen

#endif
