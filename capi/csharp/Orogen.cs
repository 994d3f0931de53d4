// Orogen for C# and Unity, over the shared library. Add this file and the library (orogen.dll, liborogen.so or liborogen.dylib) to a project;
// in Unity, place both below Assets/Plugins. Requires .NET Standard 2.1: .NET Core 3, Mono 6 or Unity 2021.2, and later versions.
//
// Every function of include/orogen.h has a method here, and the header documents them in detail. Errors are thrown as OrogenException. Results
// are written to memory of the caller: arrays, spans or, for layers, pointers. After its first call on a thread, a method allocates nothing,
// unless it returns a string, an array or an object. All methods can be called from any thread; an object that is disposed while another
// thread uses it is freed after that call.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Orogen
{
    /// <summary>Outcome of a call: OrogenStatus in orogen.h.</summary>
    public enum Status
    {
        Ok = 0, Null = 1, Handle = 2, Utf8 = 3, Argument = 4, Size = 5, Recipe = 6, File = 7, Noise = 8, Parameter = 9, Region = 10, Memory = 11,
        Device = 12, Panic = 13
    }

    /// <summary>Where noise is evaluated.</summary>
    public enum Backend { Auto = 0, Gpu = 1, Cpu = 2, Oracle = 3 }

    /// <summary>Shading language of an export.</summary>
    public enum Language { Wgsl = 0, Hlsl = 1, Glsl = 2, Msl = 3, Spirv = 4, GlslEs = 5, Godot = 6, Unity = 7, Unreal = 8 }

    /// <summary>Where an exported shader stores its parameters.</summary>
    public enum Storage { Inline = 0, Buffer = 1 }

    /// <summary>A call failed. The message states the value and what is allowed.</summary>
    public sealed class OrogenException : Exception
    {
        public Status Status { get; }
        internal OrogenException(Status status, string message) : base(message) { Status = status; }
    }

    /// <summary>Version of the library.</summary>
    public static class Library
    {
        public static string Version { get { return Marshal.PtrToStringAnsi(Native.orogen_version()); } }
    }

    /// <summary>A box of samples. In memory x varies fastest, then y, then z.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Region
    {
        public long OriginX, OriginY, OriginZ;
        public uint SizeX, SizeY, SizeZ;
        public uint Level;
        public double Spacing;
        public double AnchorX, AnchorY, AnchorZ;

        /// <summary>width × height samples from the world's origin.</summary>
        public static Region Plane(uint width, uint height) { return Native.orogen_region_plane(width, height); }

        /// <summary>Tile (x, y) of a world of tiles of size × size samples.</summary>
        public static Region Tile(long x, long y, uint size) { return Native.orogen_region_tile(x, y, size); }

        /// <summary>Chunk (x, y) of cells × cells cells, which shares its border samples with its neighbours.</summary>
        public static Region Chunk(long x, long y, uint cells) { return Native.orogen_region_chunk(x, y, cells); }

        /// <summary>Number of samples. Throws if the region is invalid.</summary>
        public ulong Samples()
        {
            ulong samples;
            Error error;
            Call.Check(Native.orogen_region_check(ref this, out samples, out error), ref error);
            return samples;
        }
    }

    /// <summary>A layer to compute, and an array or a pointer for its values.</summary>
    public struct Layer
    {
        /// <summary>Stage, output of a stage (stage.output) or node; null for the recipe's output.</summary>
        public readonly string Name;
        internal readonly float[] Array;
        internal readonly IntPtr Pointer;
        internal readonly long Count;

        public Layer(string name, float[] values)
        {
            if (values == null) throw new ArgumentNullException("values");
            Name = name;
            Array = values;
            Pointer = IntPtr.Zero;
            Count = values.LongLength;
        }

        /// <summary>Memory outside the garbage collector, such as a NativeArray of Unity. The caller keeps it valid.</summary>
        public Layer(string name, IntPtr values, long count)
        {
            Name = name;
            Array = null;
            Pointer = values;
            Count = count;
        }
    }

    /// <summary>Options of an engine.</summary>
    public sealed class EngineOptions
    {
        /// <summary>Value of Threads: the pool that all engines share.</summary>
        public const uint SharedThreads = 0;
        /// <summary>Value of Threads: the calling thread only.</summary>
        public const uint CallerThread = 4294967295;

        public Backend Backend;
        /// <summary>SharedThreads, CallerThread, or 1 to 1024 threads of the engine's own.</summary>
        public uint Threads;
        /// <summary>Memory limit for stages in bytes; 0 means 1 GiB.</summary>
        public ulong Memory;
        /// <summary>Part of the GPU adapter's name, or null.</summary>
        public string Adapter;
        /// <summary>Folder for compiled GPU kernels, or null.</summary>
        public string Cache;
    }

    /// <summary>Options of an export.</summary>
    public sealed class ExportOptions
    {
        public Language Language;
        public Storage Storage;
        /// <summary>With a compute entry point.</summary>
        public bool Entry;
        public double AnchorX, AnchorY, AnchorZ;
        /// <summary>Prefix of all names; null for "orogen".</summary>
        public string Prefix;
        /// <summary>Name of the noise in the comment at the top; null for "noise".</summary>
        public string Name;
    }

    public sealed class Engine : IDisposable
    {
        internal readonly EngineHandle Handle;

        public Engine(Backend backend = Backend.Auto, uint threads = EngineOptions.SharedThreads)
            : this(new EngineOptions { Backend = backend, Threads = threads }) { }

        public Engine(EngineOptions options)
        {
            using (var adapter = new PinnedText(options.Adapter))
            using (var cache = new PinnedText(options.Cache))
            {
                var native = new NativeEngineOptions
                {
                    Backend = (int)options.Backend, Threads = options.Threads, Memory = options.Memory, Adapter = adapter.Address, Cache = cache.Address
                };
                Error error;
                Call.Check(Native.orogen_engine_open(ref native, out Handle, out error), ref error);
            }
        }

        /// <summary>Backend, adapter and parity as a JSON object.</summary>
        public string Describe()
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_engine_describe(Handle, text, size, out length, out error));
        }

        public void Dispose() { Handle.Dispose(); }
    }

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

        public void SetWord(string path, string word)
        {
            Error error;
            Call.Check(Native.orogen_recipe_set_word(Handle, Utf8.First(path), Utf8.Second(word), out error), ref error);
        }

        /// <summary>Sets a live parameter to a value written as JSON, such as a list or a large seed.</summary>
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

    public sealed class Noise : IDisposable
    {
        internal readonly NoiseHandle Handle;

        /// <summary>Prepares the noise of a node; null for the recipe's output.</summary>
        public Noise(Engine engine, Recipe recipe, string node = null)
        {
            Error error;
            Call.Check(Native.orogen_noise_prepare(engine.Handle, recipe.Handle, Utf8.First(node), out Handle, out error), ref error);
        }

        /// <summary>Proven bounds of the values.</summary>
        public void Range(out double low, out double high)
        {
            Error error;
            Call.Check(Native.orogen_noise_range(Handle, out low, out high, out error), ref error);
        }

        /// <summary>Values of a region: one per sample.</summary>
        public void Field(Region region, Span<float> values) { Field(region, values, Span<float>.Empty); }

        /// <summary>Values and gradients of a region: one and three numbers per sample. Empty gradients are not computed.</summary>
        public void Field(Region region, Span<float> values, Span<float> gradients)
        {
            Error error;
            Call.Check(Native.orogen_noise_field(Handle, ref region, ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length,
                ref MemoryMarshal.GetReference(gradients), (UIntPtr)gradients.Length, out error), ref error);
        }

        /// <summary>Values at positions of three numbers each.</summary>
        public void Points(ReadOnlySpan<double> positions, Span<float> values) { Points(positions, values, Span<float>.Empty); }

        /// <summary>Values and gradients at positions of three numbers each. Empty gradients are not computed.</summary>
        public void Points(ReadOnlySpan<double> positions, Span<float> values, Span<float> gradients)
        {
            if (positions.Length % 3 != 0) throw new ArgumentException("positions must contain three numbers per point", "positions");
            Error error;
            Call.Check(Native.orogen_noise_points(Handle, ref MemoryMarshal.GetReference(positions), (UIntPtr)(positions.Length / 3),
                ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length, ref MemoryMarshal.GetReference(gradients), (UIntPtr)gradients.Length,
                out error), ref error);
        }

        /// <summary>The value at one position.</summary>
        public double Value(double x, double y, double z = 0)
        {
            double value;
            Error error;
            Call.Check(Native.orogen_noise_value(Handle, x, y, z, out value, out error), ref error);
            return value;
        }

        /// <summary>Sets a live parameter, "node.parameter".</summary>
        public void Set(string path, double value)
        {
            Error error;
            Call.Check(Native.orogen_noise_set_number(Handle, Utf8.First(path), value, out error), ref error);
        }

        public void SetWord(string path, string word)
        {
            Error error;
            Call.Check(Native.orogen_noise_set_word(Handle, Utf8.First(path), Utf8.Second(word), out error), ref error);
        }

        /// <summary>Sets a live parameter to a value written as JSON, such as a list or a large seed.</summary>
        public void SetJson(string path, string json)
        {
            Error error;
            Call.Check(Native.orogen_noise_set_json(Handle, Utf8.First(path), Utf8.Second(json), out error), ref error);
        }

        /// <summary>The value of a parameter as JSON.</summary>
        public string GetJson(string path)
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_noise_get_json(Handle, Utf8.First(path), text, size, out length, out error));
        }

        /// <summary>The noise as source code, UTF-8, or as the bytes of SPIR-V.</summary>
        public byte[] Export(ExportOptions options = null)
        {
            using (var native = new PinnedExportOptions(options ?? new ExportOptions()))
            {
                UIntPtr length;
                Error error;
                Call.Check(Native.orogen_noise_export(Handle, ref native.Options, null, UIntPtr.Zero, out length, out error), ref error);
                for (;;)
                {
                    var file = new byte[(int)length];
                    int status = Native.orogen_noise_export(Handle, ref native.Options, file, (UIntPtr)file.Length, out length, out error);
                    if (status == (int)Status.Size && (long)length > file.Length) continue; // A parameter changed meanwhile.
                    Call.Check(status, ref error);
                    Array.Resize(ref file, (int)length);
                    return file;
                }
            }
        }

        /// <summary>Contents of the storage buffers of an export with the same options, as a JSON object.</summary>
        public string ExportTables(ExportOptions options)
        {
            using (var native = new PinnedExportOptions(options))
            {
                return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                    Native.orogen_noise_export_tables(Handle, ref native.Options, text, size, out length, out error));
            }
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class EngineHandle : SafeHandle
    {
        public EngineHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_engine_free(handle) == 0; }
    }

    public sealed class RecipeHandle : SafeHandle
    {
        public RecipeHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_recipe_free(handle) == 0; }
    }

    public sealed class NoiseHandle : SafeHandle
    {
        public NoiseHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_noise_free(handle) == 0; }
    }

    internal static class Call
    {
        internal delegate int Writer(byte[] text, UIntPtr size, out UIntPtr length, out Error error);

        internal static void Check(int status, ref Error error)
        {
            if (status != 0) throw Failure(status, ref error);
        }

        private static OrogenException Failure(int status, ref Error error)
        {
            var bytes = MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref error, 1)).Slice(Error.MessageStart).ToArray();
            return new OrogenException((Status)status, Encoding.UTF8.GetString(bytes, 0, Array.IndexOf(bytes, (byte)0)));
        }

        /// <summary>Calls a function that writes text: first for its length, then with a buffer.</summary>
        internal static string Text(Writer write)
        {
            UIntPtr length;
            Error error;
            Check(write(null, UIntPtr.Zero, out length, out error), ref error);
            for (;;)
            {
                var text = new byte[(int)length + 1];
                int status = write(text, (UIntPtr)text.Length, out length, out error);
                if (status == (int)Status.Size && (long)length >= text.Length) continue; // It grew meanwhile.
                Check(status, ref error);
                return Encoding.UTF8.GetString(text, 0, (int)length);
            }
        }
    }

    /// <summary>Strings as UTF-8 that ends in 0, in two buffers that each thread reuses.</summary>
    internal static class Utf8
    {
        [ThreadStatic] private static byte[] first, second;

        internal static byte[] First(string text) { return Write(text, ref first); }
        internal static byte[] Second(string text) { return Write(text, ref second); }

        private static byte[] Write(string text, ref byte[] buffer)
        {
            if (text == null) return null;
            Append(text, ref buffer, 0);
            return buffer;
        }

        /// <summary>Writes the text at an offset and returns the offset behind its 0. The buffer grows as needed and keeps what is before.</summary>
        internal static int Append(string text, ref byte[] buffer, int offset)
        {
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("text contains a character 0, which ends text in C");
            int end = checked(offset + Encoding.UTF8.GetMaxByteCount(text.Length) + 1);
            if (buffer == null || buffer.Length < end) Array.Resize(ref buffer, Math.Max(end, 256));
            offset += Encoding.UTF8.GetBytes(text, 0, text.Length, buffer, offset);
            buffer[offset] = 0;
            return offset + 1;
        }
    }

    /// <summary>Text for a structure, pinned until it is disposed.</summary>
    internal struct PinnedText : IDisposable
    {
        private GCHandle pin;
        internal readonly IntPtr Address;

        internal PinnedText(string text)
        {
            pin = default(GCHandle);
            Address = IntPtr.Zero;
            if (text == null) return;
            byte[] bytes = null;
            Utf8.Append(text, ref bytes, 0);
            pin = GCHandle.Alloc(bytes, GCHandleType.Pinned);
            Address = pin.AddrOfPinnedObject();
        }

        public void Dispose() { if (pin.IsAllocated) pin.Free(); }
    }

    internal sealed class PinnedExportOptions : IDisposable
    {
        private PinnedText prefix, name;
        internal NativeExportOptions Options;

        internal PinnedExportOptions(ExportOptions options)
        {
            prefix = new PinnedText(options.Prefix);
            name = new PinnedText(options.Name);
            Options = new NativeExportOptions
            {
                Language = (int)options.Language, Storage = (int)options.Storage, Entry = options.Entry ? 1 : 0, AnchorX = options.AnchorX,
                AnchorY = options.AnchorY, AnchorZ = options.AnchorZ, Prefix = prefix.Address, Name = name.Address
            };
        }

        public void Dispose()
        {
            prefix.Dispose();
            name.Dispose();
        }
    }

    /// <summary>Memory that a thread reuses for the arguments of orogen_layers.</summary>
    internal sealed class LayerCall
    {
        [ThreadStatic] private static LayerCall ofThread;
        private NativeLayer[] native = new NativeLayer[0];
        private GCHandle[] pins = new GCHandle[0];
        private int[] offsets = new int[0];
        private byte[] names = new byte[256];

        internal static LayerCall OfThread() { return ofThread ?? (ofThread = new LayerCall()); }

        internal void Run(EngineHandle engine, RecipeHandle recipe, ref Region region, ReadOnlySpan<Layer> layers)
        {
            int count = layers.Length;
            if (native.Length < count)
            {
                native = new NativeLayer[count];
                pins = new GCHandle[count];
                offsets = new int[count];
            }
            int end = 0;
            for (int i = 0; i < count; i++)
            {
                offsets[i] = end;
                if (layers[i].Name != null) end = Utf8.Append(layers[i].Name, ref names, end);
            }
            var pinned = GCHandle.Alloc(names, GCHandleType.Pinned);
            try
            {
                for (int i = 0; i < count; i++)
                {
                    if (layers[i].Array != null) pins[i] = GCHandle.Alloc(layers[i].Array, GCHandleType.Pinned);
                    native[i].Name = layers[i].Name == null ? IntPtr.Zero : pinned.AddrOfPinnedObject() + offsets[i];
                    native[i].Values = layers[i].Array == null ? layers[i].Pointer : pins[i].AddrOfPinnedObject();
                    native[i].Count = (UIntPtr)(ulong)layers[i].Count;
                }
                Error error;
                Call.Check(Native.orogen_layers(engine, recipe, ref region, native, (UIntPtr)count, out error), ref error);
            }
            finally
            {
                for (int i = 0; i < count; i++) if (pins[i].IsAllocated) pins[i].Free();
                pinned.Free();
            }
        }
    }

    /// <summary>OrogenError. Only its first bytes are declared as fields, so that it can be passed without marshalling.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 1024)]
    internal struct Error
    {
        internal const int MessageStart = 8;
        internal int Status;
        internal uint Length;
        internal byte Message;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeEngineOptions
    {
        internal int Backend;
        internal uint Threads;
        internal ulong Memory;
        internal IntPtr Adapter;
        internal IntPtr Cache;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeExportOptions
    {
        internal int Language, Storage, Entry, Reserved;
        internal double AnchorX, AnchorY, AnchorZ;
        internal IntPtr Prefix;
        internal IntPtr Name;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeLayer
    {
        internal IntPtr Name;
        internal IntPtr Values;
        internal UIntPtr Count;
    }

    /// <summary>The functions of orogen.h. capi/tests/csharp.rs compares these declarations with the header.</summary>
    internal static class Native
    {
        private const string Library = "orogen";
        private const CallingConvention C = CallingConvention.Cdecl;
        /// <summary>OROGEN_ABI_VERSION: the version of the interface that this file was written for.</summary>
        private const uint AbiVersion = 1;

        static Native()
        {
            uint found = orogen_abi_version();
            if (found != AbiVersion)
                throw new InvalidOperationException("the library's interface has version " + found + "; allowed: " + AbiVersion + ", as in Orogen.cs");
        }

        [DllImport(Library, CallingConvention = C)] internal static extern uint orogen_abi_version();
        [DllImport(Library, CallingConvention = C)] internal static extern IntPtr orogen_version();
        [DllImport(Library, CallingConvention = C)] internal static extern NativeEngineOptions orogen_engine_options();
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_engine_open(ref NativeEngineOptions options, out EngineHandle engine, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_engine_describe(EngineHandle engine, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_engine_free(IntPtr engine);
        [DllImport(Library, CallingConvention = C)] internal static extern Region orogen_region_plane(uint width, uint height);
        [DllImport(Library, CallingConvention = C)] internal static extern Region orogen_region_tile(long x, long y, uint size);
        [DllImport(Library, CallingConvention = C)] internal static extern Region orogen_region_chunk(long x, long y, uint cells);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_region_check(ref Region region, out ulong samples, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_parse(byte[] text, byte[] folder, out RecipeHandle recipe, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_load(byte[] path, out RecipeHandle recipe, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_toml(RecipeHandle recipe, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_json(RecipeHandle recipe, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_output(RecipeHandle recipe, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_layer_count(RecipeHandle recipe, out UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_layer_name(RecipeHandle recipe, UIntPtr index, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_channels(RecipeHandle recipe, byte[] layer, out UIntPtr channels, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_measure(EngineHandle engine, RecipeHandle recipe, ref Region world, UIntPtr count, out RecipeHandle measured, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_bake(RecipeHandle recipe, out Region tile, [Out] uint[] tiles, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_free(IntPtr recipe);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_prepare(EngineHandle engine, RecipeHandle recipe, byte[] node, out NoiseHandle noise, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_range(NoiseHandle noise, out double low, out double high, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_field(NoiseHandle noise, ref Region region, ref float values, UIntPtr valueCount, ref float gradients, UIntPtr gradientCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_points(NoiseHandle noise, ref double positions, UIntPtr pointCount, ref float values, UIntPtr valueCount, ref float gradients, UIntPtr gradientCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_value(NoiseHandle noise, double x, double y, double z, out double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_free(IntPtr noise);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_heights(RecipeHandle recipe, byte[] node, ref float values, UIntPtr valueCount, uint columns, uint rows, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_number(NoiseHandle noise, byte[] path, double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_word(NoiseHandle noise, byte[] path, byte[] word, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_json(NoiseHandle noise, byte[] path, byte[] json, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_get_json(NoiseHandle noise, byte[] path, [Out] byte[] json, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_number(RecipeHandle recipe, byte[] path, double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_word(RecipeHandle recipe, byte[] path, byte[] word, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_json(RecipeHandle recipe, byte[] path, byte[] json, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_get_json(RecipeHandle recipe, byte[] path, [Out] byte[] json, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_layers(EngineHandle engine, RecipeHandle recipe, ref Region region, NativeLayer[] layers, UIntPtr layerCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern NativeExportOptions orogen_export_options();
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_export(NoiseHandle noise, ref NativeExportOptions options, [Out] byte[] file, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_export_tables(NoiseHandle noise, ref NativeExportOptions options, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
    }
}
