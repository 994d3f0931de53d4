// Layers: what recipes with stages compute.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
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

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeLayer
    {
        internal IntPtr Name;
        internal IntPtr Values;
        internal UIntPtr Count;
    }

    /// <summary>Memory that a thread reuses for the arguments of orogen_layers.</summary>
    internal sealed class LayerCall
    {
        [ThreadStatic] private static LayerCall ofThread;
        private NativeLayer[] native = new NativeLayer[0];
        private GCHandle[] pins = new GCHandle[0];
        private readonly Texts names = new Texts();

        internal static LayerCall OfThread() { return ofThread ?? (ofThread = new LayerCall()); }

        internal void Run(EngineHandle engine, RecipeHandle recipe, ref Region region, ReadOnlySpan<Layer> layers)
        {
            int count = layers.Length;
            if (native.Length < count)
            {
                native = new NativeLayer[count];
                pins = new GCHandle[count];
            }
            names.Reset(count);
            for (int i = 0; i < count; i++) names.Set(i, layers[i].Name);
            names.Pin();
            try
            {
                for (int i = 0; i < count; i++)
                {
                    if (layers[i].Array != null) pins[i] = GCHandle.Alloc(layers[i].Array, GCHandleType.Pinned);
                    native[i].Name = names.Address(i);
                    native[i].Values = layers[i].Array == null ? layers[i].Pointer : pins[i].AddrOfPinnedObject();
                    native[i].Count = (UIntPtr)(ulong)layers[i].Count;
                }
                Error error;
                Call.Check(Native.orogen_layers(engine, recipe, ref region, native, (UIntPtr)count, out error), ref error);
            }
            finally
            {
                for (int i = 0; i < count; i++) if (pins[i].IsAllocated) pins[i].Free();
                names.Unpin();
            }
        }
    }
}
