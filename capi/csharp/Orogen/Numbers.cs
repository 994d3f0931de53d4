// Several parameters that are set at once.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeNumber
    {
        internal IntPtr Path;
        internal double Value;
    }

    /// <summary>Parameters and numbers for one call, in memory that a thread reuses.</summary>
    internal sealed class NumberCall
    {
        [ThreadStatic] private static NumberCall ofThread;
        private readonly Texts paths = new Texts();
        internal NativeNumber[] Native = new NativeNumber[0];

        /// <summary>Collects them and pins the names until End.</summary>
        internal static NumberCall Begin(ReadOnlySpan<string> paths, ReadOnlySpan<double> values)
        {
            if (paths.Length != values.Length) throw new ArgumentException("there must be one value for each path", "values");
            var call = ofThread ?? (ofThread = new NumberCall());
            if (call.Native.Length < paths.Length) call.Native = new NativeNumber[paths.Length];
            call.paths.Reset(paths.Length);
            for (int i = 0; i < paths.Length; i++) call.paths.Set(i, paths[i]);
            call.paths.Pin();
            for (int i = 0; i < paths.Length; i++)
            {
                call.Native[i].Path = call.paths.Address(i);
                call.Native[i].Value = values[i];
            }
            return call;
        }

        internal void End() { paths.Unpin(); }
    }
}
