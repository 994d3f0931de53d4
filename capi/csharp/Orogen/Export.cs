// Exports to shading languages.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    /// <summary>Shading language of an export.</summary>
    public enum Language { Wgsl = 0, Hlsl = 1, Glsl = 2, Msl = 3, Spirv = 4, GlslEs = 5, Godot = 6, Unity = 7, Unreal = 8, Js = 9 }

    /// <summary>The storage of an exported shader's parameters.</summary>
    public enum Storage { Inline = 0, Buffer = 1 }

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

    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeExportOptions
    {
        internal int Language, Storage, Entry, Reserved;
        internal double AnchorX, AnchorY, AnchorZ;
        internal IntPtr Prefix;
        internal IntPtr Name;
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
}
