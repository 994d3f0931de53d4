// Regions: which samples.

using System.Runtime.InteropServices;

namespace Orogen
{
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
}
