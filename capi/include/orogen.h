/*
 * Orogen: noise on the GPU and the CPU, with the same bits. docs/c.md is the manual.
 *
 * - Handles (OrogenEngine, OrogenRecipe, OrogenNoise) are made and freed by functions. Nothing is global but the pool of threads.
 * - Functions that can fail return OROGEN_STATUS_OK or what went wrong, and say it in words in an OrogenError of the caller's.
 * - Results go into memory of the caller's, which says how much it holds.
 * - Text is UTF-8 that ends in 0. No function keeps a pointer that it is given.
 * - Every function may be called from any thread, several at once with the same handles, except that a handle is freed
 *   once, when no other call uses it.
 */

#ifndef OROGEN_H
#define OROGEN_H

/* Made by scripts/capi --header from capi/src: change it there. */

#include <stddef.h>
#include <stdint.h>

/**
 * The number of this interface. It goes up when something that programs rely on changes or goes; additions leave it as it is.
 *
 * Compare it with what `orogen_abi_version` returns when the library is loaded at run time.
 */
#define OROGEN_ABI_VERSION 1

/**
 * Bytes of `OrogenError.message`, the closing 0 among them.
 */
#define OROGEN_MESSAGE_SIZE 1016

/**
 * `OrogenEngineOptions.threads`: one pool for all the engines of the process, with a thread for each core.
 */
#define OROGEN_THREADS_SHARED 0

/**
 * `OrogenEngineOptions.threads`: none; every call computes on the thread that makes it.
 */
#define OROGEN_THREADS_CALLER 4294967295

/**
 * Most layers of one call.
 */
#define OROGEN_MOST_LAYERS 1024

/**
 * What became of a call. 0 is success; the numbers of the others stay what they are.
 */
typedef enum OrogenStatus {
    /**
     * All is well.
     */
    OROGEN_STATUS_OK = 0,
    /**
     * A pointer is NULL that must not be.
     */
    OROGEN_STATUS_NULL = 1,
    /**
     * A handle has been freed, is of another kind, or is none.
     */
    OROGEN_STATUS_HANDLE = 2,
    /**
     * Text is not UTF-8.
     */
    OROGEN_STATUS_UTF8 = 3,
    /**
     * A number or word is not one of those that are allowed, or a pointer is not aligned as its type asks for.
     */
    OROGEN_STATUS_ARGUMENT = 4,
    /**
     * A buffer is too small, or does not hold as many numbers as there are samples.
     */
    OROGEN_STATUS_SIZE = 5,
    /**
     * The text is no recipe, or its stages mean nothing.
     */
    OROGEN_STATUS_RECIPE = 6,
    /**
     * A file cannot be read.
     */
    OROGEN_STATUS_FILE = 7,
    /**
     * The noise cannot be evaluated, or not there.
     */
    OROGEN_STATUS_NOISE = 8,
    /**
     * No such parameter, or not with that value.
     */
    OROGEN_STATUS_PARAMETER = 9,
    /**
     * The region is none, or a position is none.
     */
    OROGEN_STATUS_REGION = 10,
    /**
     * Stages need more memory than the engine may use.
     */
    OROGEN_STATUS_MEMORY = 11,
    /**
     * No adapter fits, or the GPU failed.
     */
    OROGEN_STATUS_DEVICE = 12,
    /**
     * A bug of Orogen's, caught before it reached the caller. Handles that the call used may be freed and nothing else.
     */
    OROGEN_STATUS_PANIC = 13,
} OrogenStatus;

/**
 * Where noise is evaluated: `OrogenEngineOptions.backend`.
 */
typedef enum OrogenBackend {
    /**
     * The best hardware GPU; without one, the CPU.
     */
    OROGEN_BACKEND_AUTO = 0,
    /**
     * The best adapter, software ones included.
     */
    OROGEN_BACKEND_GPU = 1,
    /**
     * The CPU in 32-bit floats.
     */
    OROGEN_BACKEND_CPU = 2,
    /**
     * The CPU in 64-bit floats: slow, and what the others are measured against. Buffers get its values rounded to 32 bits.
     */
    OROGEN_BACKEND_ORACLE = 3,
} OrogenBackend;

/**
 * A shading language: `OrogenExportOptions.language`.
 */
typedef enum OrogenLanguage {
    /**
     * WebGPU Shading Language.
     */
    OROGEN_LANGUAGE_WGSL = 0,
    /**
     * Direct3D, shader model 5.1 and later.
     */
    OROGEN_LANGUAGE_HLSL = 1,
    /**
     * Vulkan's GLSL, version 450.
     */
    OROGEN_LANGUAGE_GLSL = 2,
    /**
     * Metal 2.1 and later.
     */
    OROGEN_LANGUAGE_MSL = 3,
    /**
     * SPIR-V 1.3 for Vulkan 1.1, in little-endian words: the same bits as the CPU.
     */
    OROGEN_LANGUAGE_SPIRV = 4,
    /**
     * GLSL ES 3.00: WebGL 2. This and what follows: functions only, parameters in the source.
     */
    OROGEN_LANGUAGE_GLSL_ES = 5,
    /**
     * Godot's shading language, from 4.4 on.
     */
    OROGEN_LANGUAGE_GODOT = 6,
    /**
     * HLSL for Unity: a custom function of Shader Graph.
     */
    OROGEN_LANGUAGE_UNITY = 7,
    /**
     * HLSL for Unreal Engine: for custom nodes of materials.
     */
    OROGEN_LANGUAGE_UNREAL = 8,
} OrogenLanguage;

/**
 * Where an exported shader has its parameters: `OrogenExportOptions.storage`.
 */
typedef enum OrogenStorage {
    /**
     * As constants in the source.
     */
    OROGEN_STORAGE_INLINE = 0,
    /**
     * In storage buffers, whose contents `orogen_noise_export_tables` gives: parameters then change without another export.
     */
    OROGEN_STORAGE_BUFFER = 1,
} OrogenStorage;

/**
 * What evaluates noise: a GPU, or the threads of the CPU. Opening one costs time; keep it.
 */
typedef struct OrogenEngine OrogenEngine;

/**
 * A noise of a recipe on an engine, lowered once: what a program keeps for as long as it asks about that noise.
 */
typedef struct OrogenNoise OrogenNoise;

/**
 * A recipe: a graph of named nodes, the stages after them, and which of them is the result.
 */
typedef struct OrogenRecipe OrogenRecipe;

/**
 * How to open an engine. All zeros are the defaults, and what `orogen_engine_options` gives.
 */
typedef struct OrogenEngineOptions {
    /**
     * Where to evaluate: one of `OrogenBackend`.
     */
    int32_t backend;
    /**
     * The threads of long calls on the CPU: 1 to 1024 of the engine's own, `OROGEN_THREADS_SHARED` or `OROGEN_THREADS_CALLER`. No bit
     * depends on it.
     */
    uint32_t threads;
    /**
     * Bytes that the stages of a recipe may take at a time; 0 is 1 GiB.
     */
    uint64_t memory;
    /**
     * Part of the name of the GPU's adapter; NULL takes the variable OROGEN_ADAPTER, then the best one.
     */
    const char *adapter;
    /**
     * A folder where compiled GPU kernels are kept for the next run; NULL keeps none.
     */
    const char *cache;
} OrogenEngineOptions;

/**
 * What a call had to say: memory of the caller's, on the stack as a rule. Nothing has to be set before, and nothing freed after.
 *
 * Every function that can fail takes one as its last argument, which may be NULL.
 */
typedef struct OrogenError {
    /**
     * What the function returned.
     */
    enum OrogenStatus status;
    /**
     * Bytes of the whole message without the closing 0; where that is `OROGEN_MESSAGE_SIZE` or more, the end was cut off.
     */
    uint32_t length;
    /**
     * What is wrong, with the value and what is allowed: UTF-8 that ends in 0, empty after success.
     */
    char message[OROGEN_MESSAGE_SIZE];
} OrogenError;

/**
 * A box of samples. Sample (i, j, k) of it lies at `anchor + (origin + (i, j, k)) * spacing * 2^level`, in world units; in memory x runs
 * fastest, then y, then z. Regions with the same spacing and anchor share samples bit for bit, whatever their origins, sizes and levels.
 */
typedef struct OrogenRegion {
    /**
     * Index of the first sample along x, y and z, in samples of this level: -2^62 to 2^62.
     */
    int64_t origin[3];
    /**
     * Number of samples along x, y and z: 1 or more each, at most 2^32 in all.
     */
    uint32_t size[3];
    /**
     * Level of detail, 0 to 40: every level doubles the spacing.
     */
    uint32_t level;
    /**
     * World units from sample to sample at level 0: 1e-9 to 1e9.
     */
    double spacing;
    /**
     * World position of sample (0, 0, 0). No sample may lie further than 2^53 world units from the world's origin.
     */
    double anchor[3];
} OrogenRegion;

/**
 * A layer that is asked for, and where its numbers go.
 */
typedef struct OrogenLayer {
    /**
     * A stage, an output of one (`stage.output`) or a node; NULL for the recipe's output.
     */
    const char *name;
    /**
     * Memory for `count` numbers, which gets the channels of a sample side by side, x fastest.
     */
    float *values;
    /**
     * As many as the region's samples times the layer's channels (`orogen_recipe_channels`).
     */
    size_t count;
} OrogenLayer;

/**
 * What to export. All zeros are the defaults, and what `orogen_export_options` gives.
 */
typedef struct OrogenExportOptions {
    /**
     * One of `OrogenLanguage`.
     */
    int32_t language;
    /**
     * One of `OrogenStorage`.
     */
    int32_t storage;
    /**
     * 1: with a compute entry point that evaluates a buffer of positions, which SPIR-V always has. 0: without.
     */
    int32_t entry;
    /**
     * 0.
     */
    int32_t reserved;
    /**
     * World position from which positions are measured.
     */
    double anchor[3];
    /**
     * What all names begin with: 1 to 32 letters, digits and single underscores, first a letter, last no underscore; not `gl`,
     * `webgl` or `naga` before the first underscore. NULL: `orogen`.
     */
    const char *prefix;
    /**
     * What the comment at the top calls the noise. NULL: `noise`.
     */
    const char *name;
} OrogenExportOptions;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The number of the interface that the library has: compare it with `OROGEN_ABI_VERSION`, with which the program was compiled.
 *
 * Any thread, at any time.
 */
uint32_t orogen_abi_version(void);

/**
 * The library's version as text, such as "0.1.0". It lives as long as the library; do not free it.
 *
 * Any thread, at any time.
 */
const char *orogen_version(void);

/**
 * The defaults: the best there is, shared threads, 1 GiB.
 *
 * Any thread, at any time.
 */
struct OrogenEngineOptions orogen_engine_options(void);

/**
 * Opens an engine into `*engine`, which is NULL after a failure. `options` may be NULL for the defaults. The strings of the options are
 * copied. The caller frees the engine with `orogen_engine_free`.
 *
 * Fails with NULL (`engine`), ARGUMENT (a backend or number of threads that there is not), UTF8, DEVICE (no adapter that fits).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_engine_open(const struct OrogenEngineOptions *options,
                                     struct OrogenEngine **engine,
                                     struct OrogenError *error);

/**
 * What an engine runs on, as JSON: `backend` ("gpu", "cpu" or "oracle"), `adapter` (its name, or the CPU's instruction set), `parity`
 * ("exact": the CPU's bits; "bounded": a few units in the last place off; null for the oracle), `gpu_refused` and `bounded_because` (why, or
 * null).
 *
 * Writes as every function does that gives text: at most `size` bytes with a closing 0 to `text`, and to `*length` how many the text
 * has without it. With `text` NULL and `size` 0 it only says how long the text is. `length` may be NULL if `text` is not.
 *
 * Fails with NULL, HANDLE, SIZE (too small: `*length` is set, nothing is written to `text`).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_engine_describe(const struct OrogenEngine *engine,
                                         char *text,
                                         size_t size,
                                         size_t *length,
                                         struct OrogenError *error);

/**
 * Frees an engine. NULL is allowed. Noises that were prepared on it keep what they need and go on.
 *
 * Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
 *
 * Any thread; no other call may be using the handle.
 *
 * The caller's part, which cannot be checked:
 * No other call uses the handle, now or later.
 */
enum OrogenStatus orogen_engine_free(struct OrogenEngine *engine);

/**
 * `width` x `height` samples from the world's origin on, one world unit apart, in the plane z = 0.
 *
 * Any thread, at any time.
 */
struct OrogenRegion orogen_region_plane(uint32_t width, uint32_t height);

/**
 * Tile (x, y) of the world cut into tiles of `size` x `size` samples, one world unit apart.
 *
 * Any thread, at any time.
 */
struct OrogenRegion orogen_region_tile(int64_t x, int64_t y, uint32_t size);

/**
 * Chunk (x, y) of the world cut into chunks of `cells` x `cells` cells: `cells` + 1 samples along each axis, the last of which are the
 * first of the next chunk, so that meshes of neighbouring chunks meet.
 *
 * Any thread, at any time.
 */
struct OrogenRegion orogen_region_chunk(int64_t x,
                                        int64_t y,
                                        uint32_t cells);

/**
 * Checks every number of a region, and gives how many samples it has: what a buffer has to hold. `samples` may be NULL; it is set after
 * success only.
 *
 * Fails with NULL (`region`), ARGUMENT (unaligned), REGION (the first number that is not allowed).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_region_check(const struct OrogenRegion *region,
                                      uint64_t *samples,
                                      struct OrogenError *error);

/**
 * Reads and checks a recipe into `*recipe`, which is NULL after a failure: JSON if the text's first visible character is `{`, else TOML.
 *
 * `folder` is where the files lie that the recipe's nodes name (rasters); names may lead out of it, as paths do. With NULL no file is
 * read, and a node that names one cannot be evaluated. Nothing of the text is kept. The caller frees the recipe with
 * `orogen_recipe_free`.
 *
 * Fails with NULL (`text`, `recipe`), UTF8, RECIPE (with line and column; also a file that cannot be read).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The strings end in 0, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_recipe_parse(const char *text,
                                      const char *folder,
                                      struct OrogenRecipe **recipe,
                                      struct OrogenError *error);

/**
 * Reads and checks a file into `*recipe`, which is NULL after a failure: JSON if its name ends in `.json`, else TOML; and the files that
 * its nodes name, which lie beside it. The caller frees the recipe with `orogen_recipe_free`.
 *
 * Fails with NULL, UTF8 (`path`), FILE (the file cannot be read), RECIPE (as `orogen_recipe_parse`).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * `path` ends in 0, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_recipe_load(const char *path,
                                     struct OrogenRecipe **recipe,
                                     struct OrogenError *error);

/**
 * The recipe as TOML, as it stands: `orogen_recipe_parse` reads the same recipe from it. Writes as `orogen_engine_describe` does.
 *
 * Fails with NULL, HANDLE, SIZE, RECIPE (something in it is not allowed: a number that is not finite).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_toml(const struct OrogenRecipe *recipe,
                                     char *text,
                                     size_t size,
                                     size_t *length,
                                     struct OrogenError *error);

/**
 * The recipe as JSON; otherwise as `orogen_recipe_toml`.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_json(const struct OrogenRecipe *recipe,
                                     char *text,
                                     size_t size,
                                     size_t *length,
                                     struct OrogenError *error);

/**
 * The name of the recipe's result: a node, a stage, or an output of one (`stage.output`). Writes as `orogen_engine_describe` does.
 *
 * Fails with NULL, HANDLE, SIZE.
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_output(const struct OrogenRecipe *recipe,
                                       char *text,
                                       size_t size,
                                       size_t *length,
                                       struct OrogenError *error);

/**
 * How many names can be asked for as layers: outputs of stages, and nodes.
 *
 * Fails with NULL, HANDLE, ARGUMENT (unaligned).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_recipe_layer_count(const struct OrogenRecipe *recipe,
                                            size_t *count,
                                            struct OrogenError *error);

/**
 * The name of layer `index`, from 0: outputs of stages first, then nodes, each in the recipe's order. Writes as
 * `orogen_engine_describe` does.
 *
 * Fails with NULL, HANDLE, ARGUMENT (an index that is too large), SIZE.
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_layer_name(const struct OrogenRecipe *recipe,
                                           size_t index,
                                           char *text,
                                           size_t size,
                                           size_t *length,
                                           struct OrogenError *error);

/**
 * How many numbers a sample of a layer has: 1, 3 of a normal, 4 of a colour (linear red, green, blue, opacity). `layer` may be NULL for
 * the recipe's output.
 *
 * Fails with NULL, HANDLE, UTF8, RECIPE (no such layer), ARGUMENT (unaligned).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, strings end in 0, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_recipe_channels(const struct OrogenRecipe *recipe,
                                         const char *layer,
                                         size_t *channels,
                                         struct OrogenError *error);

/**
 * Another recipe, into `*measured`, in which every stage that reads the whole world (`normalise`, say) knows what it needs of it: from
 * then on its tiles can be computed in any order and fit together. `world` are the `count` regions that make the world up, each sample
 * once. The recipe's output and the layers that it bakes are measured. The caller frees `*measured` with `orogen_recipe_free`; it is
 * NULL after a failure.
 *
 * Fails with NULL, HANDLE, REGION, RECIPE, NOISE, MEMORY, DEVICE.
 *
 * Any thread. Computes the whole world, where a stage needs it.
 *
 * The caller's part, which cannot be checked:
 * The handles have not been freed, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_measure(const struct OrogenEngine *engine,
                                        const struct OrogenRecipe *recipe,
                                        const struct OrogenRegion *world,
                                        size_t count,
                                        struct OrogenRecipe **measured,
                                        struct OrogenError *error);

/**
 * What the recipe says of its bake: the tile (0, 0) of its world into `*tile` (its size, spacing and height), and how many tiles there are
 * along x and y into `tiles`. Either may be NULL.
 *
 * Fails with NULL (`recipe`), HANDLE, ARGUMENT (unaligned).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at what their types say, `tiles` at two numbers.
 */
enum OrogenStatus orogen_recipe_bake(const struct OrogenRecipe *recipe,
                                     struct OrogenRegion *tile,
                                     uint32_t *tiles,
                                     struct OrogenError *error);

/**
 * Frees a recipe. NULL is allowed. Noises that were prepared of it stay.
 *
 * Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
 *
 * Any thread; no other call may be using the handle.
 *
 * The caller's part, which cannot be checked:
 * No other call uses the handle, now or later.
 */
enum OrogenStatus orogen_recipe_free(struct OrogenRecipe *recipe);

/**
 * Prepares the noise of a recipe's node into `*noise`, which is NULL after a failure. `node` may be NULL for the recipe's output, which
 * must be a node then: what stages give is no function of position, and `orogen_layers` has it. The noise keeps what it needs of engine and
 * recipe, which may be freed before it. The caller frees it with `orogen_noise_free`.
 *
 * Fails with NULL, HANDLE, UTF8, RECIPE (no such node, or a stage), NOISE (it cannot be evaluated).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handles have not been freed, strings end in 0, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_noise_prepare(const struct OrogenEngine *engine,
                                       const struct OrogenRecipe *recipe,
                                       const char *node,
                                       struct OrogenNoise **noise,
                                       struct OrogenError *error);

/**
 * The proven range: no value that any function here gives is below `*low` or above `*high`. They are infinite where nothing is proven.
 *
 * Fails with NULL, HANDLE, ARGUMENT (unaligned).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_noise_range(const struct OrogenNoise *noise,
                                     double *low,
                                     double *high,
                                     struct OrogenError *error);

/**
 * Values on a region, x fastest, then y, then z, into `values`, which holds `value_count` numbers: as many as the region has samples.
 * With `gradients` not NULL also gradients per world unit, three numbers for each sample, of which it holds `gradient_count`; without,
 * `gradient_count` is 0. Values cost a third to two thirds more with gradients. On the CPU nothing of the region's size is allocated; other
 * backends hold the region once more.
 *
 * Fails with NULL, HANDLE, REGION, SIZE (other numbers of numbers), NOISE (it cannot be evaluated there), DEVICE. What is in the buffers
 * after a failure means nothing.
 *
 * Any thread; several at once, of one noise too.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed; the buffers hold as much as is said, do not overlap, and nobody else uses them during the call.
 */
enum OrogenStatus orogen_noise_field(const struct OrogenNoise *noise,
                                     const struct OrogenRegion *region,
                                     float *values,
                                     size_t value_count,
                                     float *gradients,
                                     size_t gradient_count,
                                     struct OrogenError *error);

/**
 * Values at `point_count` positions, three numbers each (x, y, z) in world units, into `values`, which holds `value_count` numbers: as many
 * as there are points. Gradients as in `orogen_noise_field`.
 *
 * Fails with NULL, HANDLE, SIZE, REGION (a position that is not finite or beyond 2^53), NOISE, DEVICE.
 *
 * Any thread; several at once, of one noise too.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed; the buffers hold as much as is said, do not overlap, and nobody else uses them during the call.
 */
enum OrogenStatus orogen_noise_points(const struct OrogenNoise *noise,
                                      const double *positions,
                                      size_t point_count,
                                      float *values,
                                      size_t value_count,
                                      float *gradients,
                                      size_t gradient_count,
                                      struct OrogenError *error);

/**
 * The value at one position, into `*value`: an f32 widened, except from the oracle. On a GPU's engine the CPU answers: for one point the
 * device is too far away.
 *
 * Fails with NULL, HANDLE, ARGUMENT (unaligned), REGION (a position that is not finite or beyond 2^53), NOISE.
 *
 * Any thread; several at once, of one noise too.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and the pointers are NULL or point at what their types say.
 */
enum OrogenStatus orogen_noise_value(const struct OrogenNoise *noise,
                                     double x,
                                     double y,
                                     double z,
                                     double *value,
                                     struct OrogenError *error);

/**
 * Frees a noise. NULL is allowed.
 *
 * Fails with HANDLE: it has been freed before, as far as that can be seen, or is another kind of handle; nothing is freed then.
 *
 * Any thread; no other call may be using the handle.
 *
 * The caller's part, which cannot be checked:
 * No other call uses the handle, now or later.
 */
enum OrogenStatus orogen_noise_free(struct OrogenNoise *noise);

/**
 * Changes a live parameter of the noise, `NODE.PARAMETER`, to a number; whole numbers suit parameters that count, too. No kernel is
 * compiled for it. Names are those of the recipe's nodes; what shapes the kernel (most choices, dimensions, which node an input reads) is
 * refused.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_noise_set_number(struct OrogenNoise *noise,
                                          const char *path,
                                          double value,
                                          struct OrogenError *error);

/**
 * Changes a live parameter of the noise to a word: a choice's. Otherwise as `orogen_noise_set_number`.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_noise_set_word(struct OrogenNoise *noise,
                                        const char *path,
                                        const char *word,
                                        struct OrogenError *error);

/**
 * Changes a live parameter of the noise to any value, written as in a JSON recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
 * `[{"at": 0, "value": 1}]`; also seeds beyond 2^53, as a number or as text: `"18446744073709551615"`. Otherwise as `orogen_noise_set_number`.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed), NOISE (with that value the noise cannot be evaluated). The noise then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_noise_set_json(struct OrogenNoise *noise,
                                        const char *path,
                                        const char *json,
                                        struct OrogenError *error);

/**
 * A parameter's value as JSON, live or not: of an input that is a node its name, `null` for one that is not given. Writes as
 * `orogen_engine_describe` does.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name), SIZE.
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_noise_get_json(const struct OrogenNoise *noise,
                                        const char *path,
                                        char *json,
                                        size_t size,
                                        size_t *length,
                                        struct OrogenError *error);

/**
 * Changes a live parameter of the recipe, `NODE.PARAMETER` or `STAGE.PARAMETER`, to a number; whole numbers suit parameters that count,
 * too. Noises that were prepared of it stay as they are.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_recipe_set_number(struct OrogenRecipe *recipe,
                                           const char *path,
                                           double value,
                                           struct OrogenError *error);

/**
 * Changes a live parameter of the recipe to a word: a choice's. Otherwise as `orogen_recipe_set_number`.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_recipe_set_word(struct OrogenRecipe *recipe,
                                         const char *path,
                                         const char *word,
                                         struct OrogenError *error);

/**
 * Changes a live parameter of the recipe to any value, written as in a JSON recipe: `0.5`, `true`, `"smooth"`, `[1, 0, 0]`,
 * `[{"at": 0, "value": 1}]`; also seeds beyond 2^53, as a number or as text: `"18446744073709551615"`. Otherwise as `orogen_recipe_set_number`.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name, or a value that is not allowed). The recipe then stays as it was.
 *
 * Any thread: calls that are being computed keep the value that they began with.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, and strings end in 0.
 */
enum OrogenStatus orogen_recipe_set_json(struct OrogenRecipe *recipe,
                                         const char *path,
                                         const char *json,
                                         struct OrogenError *error);

/**
 * A parameter's value as JSON, live or not: of an input that is a node its name, `null` for one that is not given. Writes as
 * `orogen_engine_describe` does.
 *
 * Fails with NULL, HANDLE, UTF8, PARAMETER (no such name), SIZE.
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_recipe_get_json(const struct OrogenRecipe *recipe,
                                         const char *path,
                                         char *json,
                                         size_t size,
                                         size_t *length,
                                         struct OrogenError *error);

/**
 * Computes `layer_count` layers of a recipe on a region, of one sample along z, in one go: stages that several of them need run once.
 * Every layer's memory is checked before anything is computed. Stages that read the whole world take the region for it, unless the recipe
 * has been measured (`orogen_recipe_measure`). While it computes, as much memory is in use as the layers hold, and what stages need beside.
 *
 * Fails with NULL, HANDLE, UTF8, REGION, RECIPE (no such layer), SIZE (another number of numbers; too many layers), NOISE, MEMORY, DEVICE.
 * After a failure the layers' memory is as it was.
 *
 * Any thread; several at once, of one engine and recipe too.
 *
 * The caller's part, which cannot be checked:
 * The handles have not been freed, strings end in 0; the buffers hold as much as is said, do not overlap, and nobody else uses them
 * during the call.
 */
enum OrogenStatus orogen_layers(const struct OrogenEngine *engine,
                                const struct OrogenRecipe *recipe,
                                const struct OrogenRegion *region,
                                const struct OrogenLayer *layers,
                                size_t layer_count,
                                struct OrogenError *error);

/**
 * The defaults: WGSL, constants in the source, no entry point, the world's origin, names that begin with `orogen`.
 *
 * Any thread, at any time.
 */
struct OrogenExportOptions orogen_export_options(void);

/**
 * The noise as source code, as it stands: functions `PREFIX_value(position)` and `PREFIX_jet(position)`. `options` may be NULL for the
 * defaults.
 *
 * At most `size` bytes go to `file`, and how many the file has to `*length`; no 0 is added, as SPIR-V is no text. With `file` NULL and
 * `size` 0 it only says how long the file is. Every call exports anew: to ask for the length costs as much as the file.
 *
 * Fails with NULL, HANDLE, UTF8, ARGUMENT (a language, storage, entry or prefix that there is not), REGION (the anchor), NOISE, SIZE (too
 * small, or rasters too large for constants).
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_noise_export(const struct OrogenNoise *noise,
                                      const struct OrogenExportOptions *options,
                                      uint8_t *file,
                                      size_t size,
                                      size_t *length,
                                      struct OrogenError *error);

/**
 * What the storage buffers of an export with the same options are to hold, as JSON: `shape`, which exports share whose tables fit each
 * other's files, and `tables`, each with `name`, `group`, `binding`, `stride` in bytes and `words` of 32 bits; none for constants in the
 * source. Writes text as `orogen_engine_describe` does.
 *
 * Fails as `orogen_noise_export`.
 *
 * Any thread.
 *
 * The caller's part, which cannot be checked:
 * The handle has not been freed, strings end in 0, and the pointers are NULL or point at as much as is said.
 */
enum OrogenStatus orogen_noise_export_tables(const struct OrogenNoise *noise,
                                             const struct OrogenExportOptions *options,
                                             char *text,
                                             size_t size,
                                             size_t *length,
                                             struct OrogenError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OROGEN_H */
