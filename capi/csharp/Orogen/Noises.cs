// Several noises, prepared together.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    /// <summary>Several noises, prepared together: nodes that several of them have are evaluated once.</summary>
    public sealed class Noises : IDisposable
    {
        internal readonly NoisesHandle Handle;

        /// <summary>Number of noises, and of values per sample.</summary>
        public int Count { get; }

        /// <summary>Prepares the noises of nodes; null stands for the recipe's output.</summary>
        public Noises(Engine engine, Recipe recipe, params string[] nodes)
        {
            Count = nodes.Length;
            var names = new Texts();
            names.Reset(nodes.Length);
            for (int i = 0; i < nodes.Length; i++) names.Set(i, nodes[i]);
            names.Pin();
            try
            {
                var native = new IntPtr[nodes.Length];
                for (int i = 0; i < nodes.Length; i++) native[i] = names.Address(i);
                Error error;
                Call.Check(Native.orogen_noises_prepare(engine.Handle, recipe.Handle, native, (UIntPtr)native.Length, out Handle, out error), ref error);
            }
            finally
            {
                names.Unpin();
            }
        }

        /// <summary>Values of a region: those of a sample next to each other.</summary>
        public void Field(Region region, Span<float> values)
        {
            Error error;
            Call.Check(Native.orogen_noises_field(Handle, ref region, ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length, out error), ref error);
        }

        /// <summary>Values at positions of three numbers each: those of a position next to each other.</summary>
        public void Points(ReadOnlySpan<double> positions, Span<float> values)
        {
            if (positions.Length % 3 != 0) throw new ArgumentException("positions must contain three numbers per point", "positions");
            Error error;
            Call.Check(Native.orogen_noises_points(Handle, ref MemoryMarshal.GetReference(positions), (UIntPtr)(positions.Length / 3),
                ref MemoryMarshal.GetReference(values), (UIntPtr)values.Length, out error), ref error);
        }

        /// <summary>Sets several live parameters to numbers at once, for all noises that have the node: all of them, or none
        /// after an error.</summary>
        public void SetAll(ReadOnlySpan<string> paths, ReadOnlySpan<double> values)
        {
            var numbers = NumberCall.Begin(paths, values);
            try
            {
                Error error;
                Call.Check(Native.orogen_noises_set_numbers(Handle, numbers.Native, (UIntPtr)paths.Length, out error), ref error);
            }
            finally
            {
                numbers.End();
            }
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class NoisesHandle : SafeHandle
    {
        public NoisesHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_noises_free(handle) == 0; }
    }
}
