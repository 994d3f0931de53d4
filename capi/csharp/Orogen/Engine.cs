// Engines, which evaluate noise.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    /// <summary>The device that evaluates noise.</summary>
    public enum Backend { Auto = 0, Gpu = 1, Cpu = 2, Oracle = 3 }

    /// <summary>The device that traces water for stages `drainage`. No bit depends on it.</summary>
    public enum Water { Cpu = 0, Gpu = 1 }

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
        /// <summary>The device that traces water. Gpu needs an engine on a GPU with the CPU's bits.</summary>
        public Water Water;
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
                    Backend = (int)options.Backend, Threads = options.Threads, Memory = options.Memory, Adapter = adapter.Address, Cache = cache.Address,
                    Water = (int)options.Water
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

    public sealed class EngineHandle : SafeHandle
    {
        public EngineHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_engine_free(handle) == 0; }
    }
}
