// Orogen for C# and Unity, over the shared library: put this file and the library (orogen.dll, liborogen.so, liborogen.dylib) among a
// project's plug-ins. Handles free themselves; errors are thrown. What everything means is in include/orogen.h.

using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Orogen
{
    public enum Backend { Auto = 0, Gpu = 1, Cpu = 2, Oracle = 3 }

    /// <summary>What went wrong: the message, and the status as a number.</summary>
    public sealed class OrogenException : Exception
    {
        public int Status { get; }
        internal OrogenException(int status, string message) : base(message) { Status = status; }
    }

    /// <summary>A box of samples; x runs fastest in memory.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Region
    {
        public long OriginX, OriginY, OriginZ;
        public uint SizeX, SizeY, SizeZ;
        public uint Level;
        public double Spacing;
        public double AnchorX, AnchorY, AnchorZ;

        /// <summary>Tile (x, y) of the world cut into tiles of size × size samples.</summary>
        public static Region Tile(long x, long y, uint size) { return Native.orogen_region_tile(x, y, size); }

        /// <summary>A chunk of cells × cells cells, which shares its edges with its neighbours.</summary>
        public static Region Chunk(long x, long y, uint cells) { return Native.orogen_region_chunk(x, y, cells); }

        /// <summary>How many samples it has; throws where a number of it is not allowed.</summary>
        public ulong Samples()
        {
            ulong samples;
            Call.Check(Native.orogen_region_check(ref this, out samples, out var error), ref error);
            return samples;
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct EngineOptions
    {
        internal int Backend;
        internal uint Threads;
        internal ulong Memory;
        internal IntPtr Adapter;
        internal IntPtr Cache;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct Error
    {
        internal int Status;
        internal uint Length;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 1016)]
        internal byte[] Message;
    }

    internal static class Call
    {
        /// <summary>The number of the interface that this file was written for.</summary>
        private const uint Abi = 1;

        static Call()
        {
            if (Native.orogen_abi_version() != Abi)
                throw new OrogenException(-1, "the library has another interface (" + Native.orogen_abi_version() + ") than this file (" + Abi + ")");
        }

        internal static void Check(int status, ref Error error)
        {
            if (status == 0) return;
            int end = Array.IndexOf(error.Message, (byte)0);
            throw new OrogenException(status, Encoding.UTF8.GetString(error.Message, 0, end < 0 ? error.Message.Length : end));
        }

        /// <summary>Text as the library reads it: UTF-8 that ends in 0.</summary>
        internal static byte[] Text(string text) { return text == null ? null : Encoding.UTF8.GetBytes(text + "\0"); }

        internal static string Text(byte[] text, UIntPtr length) { return Encoding.UTF8.GetString(text, 0, (int)length); }
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

    public sealed class Engine : IDisposable
    {
        internal readonly EngineHandle Handle;

        /// <summary>threads: 0 for the shared pool, 1 to 1024 of the engine's own, uint.MaxValue for the caller's alone.</summary>
        public Engine(Backend backend = Backend.Auto, uint threads = 0)
        {
            var options = new EngineOptions { Backend = (int)backend, Threads = threads };
            Call.Check(Native.orogen_engine_open(ref options, out Handle, out var error), ref error);
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class Recipe : IDisposable
    {
        internal readonly RecipeHandle Handle;

        /// <summary>Of TOML or JSON; folder is where the files lie that it names, or null.</summary>
        public Recipe(string text, string folder = null)
        {
            Call.Check(Native.orogen_recipe_parse(Call.Text(text), Call.Text(folder), out Handle, out var error), ref error);
        }

        public string ToToml()
        {
            UIntPtr length;
            Call.Check(Native.orogen_recipe_toml(Handle, null, UIntPtr.Zero, out length, out var error), ref error);
            var text = new byte[(int)length + 1];
            Call.Check(Native.orogen_recipe_toml(Handle, text, (UIntPtr)text.Length, out length, out error), ref error);
            return Call.Text(text, length);
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class Noise : IDisposable
    {
        internal readonly NoiseHandle Handle;

        /// <summary>Of a recipe's node; without a name of its output.</summary>
        public Noise(Engine engine, Recipe recipe, string node = null)
        {
            Call.Check(Native.orogen_noise_prepare(engine.Handle, recipe.Handle, Call.Text(node), out Handle, out var error), ref error);
        }

        /// <summary>Values on a region, into an array of as many.</summary>
        public void Field(Region region, float[] values)
        {
            Call.Check(Native.orogen_noise_field(Handle, ref region, values, (UIntPtr)values.Length, null, UIntPtr.Zero, out var error), ref error);
        }

        /// <summary>Values at positions of three numbers each.</summary>
        public void Points(double[] positions, float[] values)
        {
            if (positions.Length != 3 * values.Length) throw new ArgumentException("positions are not three numbers for each value");
            Call.Check(Native.orogen_noise_points(Handle, positions, (UIntPtr)values.Length, values, (UIntPtr)values.Length, null, UIntPtr.Zero,
                out var error), ref error);
        }

        public double Value(double x, double y, double z = 0)
        {
            double value;
            Call.Check(Native.orogen_noise_value(Handle, x, y, z, out value, out var error), ref error);
            return value;
        }

        public void Range(out double low, out double high)
        {
            Call.Check(Native.orogen_noise_range(Handle, out low, out high, out var error), ref error);
        }

        /// <summary>Changes a live parameter, "node.parameter".</summary>
        public void Set(string path, double value)
        {
            Call.Check(Native.orogen_noise_set_number(Handle, Call.Text(path), value, out var error), ref error);
        }

        /// <summary>The same with any value, as a JSON recipe has it.</summary>
        public void SetJson(string path, string json)
        {
            Call.Check(Native.orogen_noise_set_json(Handle, Call.Text(path), Call.Text(json), out var error), ref error);
        }

        public void Dispose() { Handle.Dispose(); }
    }

    internal static class Native
    {
        private const string Library = "orogen";
        private const CallingConvention C = CallingConvention.Cdecl;

        [DllImport(Library, CallingConvention = C)] internal static extern uint orogen_abi_version();
        [DllImport(Library, CallingConvention = C)] internal static extern Region orogen_region_tile(long x, long y, uint size);
        [DllImport(Library, CallingConvention = C)] internal static extern Region orogen_region_chunk(long x, long y, uint cells);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_region_check(ref Region region, out ulong samples, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_engine_open(ref EngineOptions options, out EngineHandle engine, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_engine_free(IntPtr engine);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_parse(byte[] text, byte[] folder, out RecipeHandle recipe, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_toml(RecipeHandle recipe, byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_free(IntPtr recipe);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_prepare(EngineHandle engine, RecipeHandle recipe, byte[] node, out NoiseHandle noise, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_field(NoiseHandle noise, ref Region region, [In, Out] float[] values, UIntPtr valueCount, [In, Out] float[] gradients, UIntPtr gradientCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_points(NoiseHandle noise, double[] positions, UIntPtr pointCount, [In, Out] float[] values, UIntPtr valueCount, [In, Out] float[] gradients, UIntPtr gradientCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_value(NoiseHandle noise, double x, double y, double z, out double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_range(NoiseHandle noise, out double low, out double high, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_number(NoiseHandle noise, byte[] path, double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_json(NoiseHandle noise, byte[] path, byte[] json, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_free(IntPtr noise);
    }
}
