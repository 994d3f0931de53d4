// Noises, prepared for many calls.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
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

        /// <summary>The value at one position and at a fourth coordinate, such as time.</summary>
        public double ValueAt(double x, double y, double z, double w) { return ValueWithGradient(x, y, z, Span<double>.Empty, w); }

        /// <summary>The value at one position, and three numbers for its gradient, per world unit. w is a fourth coordinate, such
        /// as time.</summary>
        public double ValueWithGradient(double x, double y, double z, Span<double> gradient, double w = 0)
        {
            if (gradient.Length != 3 && gradient.Length != 0) throw new ArgumentException("gradient must have room for three numbers", "gradient");
            double value;
            Error error;
            Call.Check(Native.orogen_noise_value_at(Handle, x, y, z, w, out value, ref MemoryMarshal.GetReference(gradient), out error), ref error);
            return value;
        }

        /// <summary>Values of a region at a fourth coordinate, such as time. Changing it prepares nothing anew.</summary>
        public void FieldAt(Region region, double w, Span<float> values) { FieldAt(region, w, values, Span<float>.Empty); }

        /// <summary>Values and gradients of a region at a fourth coordinate. Empty gradients are not computed.</summary>
        public void FieldAt(Region region, double w, Span<float> values, Span<float> gradients)
        {
            Error error;
            Call.Check(Native.orogen_noise_field_at(Handle, ref region, w, ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length,
                ref MemoryMarshal.GetReference(gradients), (UIntPtr)gradients.Length, out error), ref error);
        }

        /// <summary>Values at positions of four numbers each; the last is a fourth coordinate.</summary>
        public void Points4D(ReadOnlySpan<double> positions, Span<float> values)
        {
            if (positions.Length % 4 != 0) throw new ArgumentException("positions must contain four numbers per point", "positions");
            Error error;
            Call.Check(Native.orogen_noise_points_4d(Handle, ref MemoryMarshal.GetReference(positions), (UIntPtr)(positions.Length / 4),
                ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length, out error), ref error);
        }

        /// <summary>Sets several live parameters to numbers at once: all of them, or none after an error.</summary>
        public void SetAll(ReadOnlySpan<string> paths, ReadOnlySpan<double> values)
        {
            var numbers = NumberCall.Begin(paths, values);
            try
            {
                Error error;
                Call.Check(Native.orogen_noise_set_numbers(Handle, numbers.Native, (UIntPtr)paths.Length, out error), ref error);
            }
            finally
            {
                numbers.End();
            }
        }

        /// <summary>Sets a seed: any number of 64 bits.</summary>
        public void SetSeed(string path, ulong seed)
        {
            Error error;
            Call.Check(Native.orogen_noise_set_seed(Handle, Utf8.First(path), seed, out error), ref error);
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

        /// <summary>Sets a live parameter to a value written as JSON, such as a list.</summary>
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

    public sealed class NoiseHandle : SafeHandle
    {
        public NoiseHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_noise_free(handle) == 0; }
    }
}
