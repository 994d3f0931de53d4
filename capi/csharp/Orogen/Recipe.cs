// Recipes: nodes and stages by name.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    public sealed class Recipe : IDisposable
    {
        internal readonly RecipeHandle Handle;

        private Recipe(RecipeHandle handle) { Handle = handle; }

        /// <summary>Parses TOML or JSON. folder contains the files that raster nodes name; with null none is read.</summary>
        public Recipe(string text, string folder = null)
        {
            Error error;
            Call.Check(Native.orogen_recipe_parse(Utf8.First(text), Utf8.Second(folder), out Handle, out error), ref error);
        }

        /// <summary>Reads a file, and the files that its raster nodes name.</summary>
        public static Recipe Load(string path)
        {
            RecipeHandle handle;
            Error error;
            Call.Check(Native.orogen_recipe_load(Utf8.First(path), out handle, out error), ref error);
            return new Recipe(handle);
        }

        public string ToToml()
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_recipe_toml(Handle, text, size, out length, out error));
        }

        public string ToJson()
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_recipe_json(Handle, text, size, out length, out error));
        }

        /// <summary>Name of the result: a node, a stage, or one output of a stage.</summary>
        public string Output()
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_recipe_output(Handle, text, size, out length, out error));
        }

        /// <summary>Names of all layers: outputs of stages, then nodes.</summary>
        public string[] LayerNames()
        {
            UIntPtr count;
            Error counting;
            Call.Check(Native.orogen_recipe_layer_count(Handle, out count, out counting), ref counting);
            var names = new string[(int)count];
            for (int i = 0; i < names.Length; i++)
            {
                var index = (UIntPtr)i;
                names[i] = Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                    Native.orogen_recipe_layer_name(Handle, index, text, size, out length, out error));
            }
            return names;
        }

        /// <summary>Numbers per sample of a layer: 1, 3 for normals, 4 for colours.</summary>
        public int Channels(string layer = null)
        {
            UIntPtr channels;
            Error error;
            Call.Check(Native.orogen_recipe_channels(Handle, Utf8.First(layer), out channels, out error), ref error);
            return (int)channels;
        }

        /// <summary>Computes several layers at once and writes them to their arrays. Stages that several layers need run once.</summary>
        public void Layers(Engine engine, Region region, ReadOnlySpan<Layer> layers)
        {
            LayerCall.OfThread().Run(engine.Handle, Handle, ref region, layers);
        }

        /// <summary>Computes one layer; null for the recipe's output.</summary>
        public float[] Layer(Engine engine, Region region, string name = null)
        {
            var values = new float[checked((long)region.Samples() * Channels(name))];
            Layers(engine, region, new[] { new Layer(name, values) });
            return values;
        }

        /// <summary>Gives a raster node heights from memory, which are copied: rows along x, of the given number of columns.</summary>
        public void SetHeights(string node, ReadOnlySpan<float> heights, uint columns, uint rows)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_heights(Handle, Utf8.First(node), ref MemoryMarshal.GetReference(heights), (UIntPtr)heights.Length,
                columns, rows, out error), ref error);
        }

        /// <summary>Measures the world for stages that depend on it, and returns a recipe whose tiles match.</summary>
        public Recipe Measured(Engine engine, ReadOnlySpan<Region> world)
        {
            RecipeHandle handle;
            Error error;
            Call.Check(Native.orogen_recipe_measure(engine.Handle, Handle, ref MemoryMarshal.GetReference(world), (UIntPtr)world.Length, out handle,
                out error), ref error);
            return new Recipe(handle);
        }

        /// <summary>The bake section: tile (0, 0), and the number of tiles along x and y.</summary>
        public void Bake(out Region tile, out uint tilesX, out uint tilesY)
        {
            var tiles = new uint[2];
            Error error;
            Call.Check(Native.orogen_recipe_bake(Handle, out tile, tiles, out error), ref error);
            tilesX = tiles[0];
            tilesY = tiles[1];
        }

        /// <summary>Sets a live parameter, "node.parameter" or "stage.parameter".</summary>
        public void Set(string path, double value)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_number(Handle, Utf8.First(path), value, out error), ref error);
        }

        /// <summary>Sets a seed: any number of 64 bits.</summary>
        public void SetSeed(string path, ulong seed)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_seed(Handle, Utf8.First(path), seed, out error), ref error);
        }

        public void SetWord(string path, string word)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_word(Handle, Utf8.First(path), Utf8.Second(word), out error), ref error);
        }

        /// <summary>Sets a live parameter to a value written as JSON, such as a list.</summary>
        public void SetJson(string path, string json)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_json(Handle, Utf8.First(path), Utf8.Second(json), out error), ref error);
        }

        /// <summary>The value of a parameter as JSON.</summary>
        public string GetJson(string path)
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_recipe_get_json(Handle, Utf8.First(path), text, size, out length, out error));
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class RecipeHandle : SafeHandle
    {
        public RecipeHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_recipe_free(handle) == 0; }
    }
}
