// Rivers, lakes and basins of a world.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    /// <summary>The smallest rivers, lakes and basins to find, and the shape of lines.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RiverOptions
    {
        /// <summary>Smallest drainage area of a river, in world units².</summary>
        public double Area;
        /// <summary>Smallest area of a basin with an outline; infinity for none.</summary>
        public double Basin;
        /// <summary>Smallest area of a lake with an outline; infinity for none.</summary>
        public double Lake;
        /// <summary>Width of a river divided by the square root of its drainage area.</summary>
        public double Width;
        /// <summary>Rounds of smoothing of the lines, 0 to 64.</summary>
        public uint Smoothing;

        /// <summary>The defaults for rivers that drain at least an area, in world units².</summary>
        public static RiverOptions From(double area) { return Native.orogen_river_options(area); }
    }

    /// <summary>Lengths of the lists.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RiverCounts
    {
        public ulong Segments, Points, Lakes, Basins, Rings, Corners;
    }

    /// <summary>A part of a river without a confluence.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct RiverSegment
    {
        /// <summary>Index of its first sample.</summary>
        public ulong Id;
        /// <summary>The segment that it flows into, or Mouth.</summary>
        public ulong Into;
        /// <summary>The last segment of its river.</summary>
        public ulong River;
        /// <summary>Its points among those of all segments, along the water.</summary>
        public ulong FirstPoint, PointCount;
        /// <summary>Drainage area and width at its end.</summary>
        public double Area, Width;
        /// <summary>Strahler order.</summary>
        public uint Order;

        /// <summary>Into of a segment that ends at a mouth.</summary>
        public const ulong Mouth = ulong.MaxValue;
    }

    /// <summary>A lake. All of it has one level.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Lake
    {
        public ulong Id;
        /// <summary>Level of its water and largest depth, in units of height; area in world units².</summary>
        public double Level, Depth, Area;
        /// <summary>Its outline among all rings.</summary>
        public ulong FirstRing, RingCount;
    }

    /// <summary>All samples whose water leaves the world by the same outlet.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Basin
    {
        public ulong Id;
        public double OutletX, OutletY;
        /// <summary>Area in world units².</summary>
        public double Area;
        /// <summary>Its outline among all rings.</summary>
        public ulong FirstRing, RingCount;
    }

    /// <summary>A closed border, whose last corner is its first.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Ring
    {
        /// <summary>Its corners among those of all rings.</summary>
        public ulong FirstCorner, CornerCount;
        /// <summary>0: the border of an area. 1: a hole in the latest border before it.</summary>
        public uint Hole;
    }

    /// <summary>Rivers, lakes and basins of a recipe's world.</summary>
    public sealed class Rivers : IDisposable
    {
        internal readonly RiversHandle Handle;

        /// <summary>Follows the water of a world. stage is the name of a stage drainage; null for the recipe's only one.</summary>
        public Rivers(Engine engine, Recipe recipe, Region world, RiverOptions options, string stage = null)
        {
            Error error;
            Call.Check(Native.orogen_rivers_find(engine.Handle, recipe.Handle, Utf8.First(stage), ref world, ref options, out Handle, out error), ref error);
        }

        /// <summary>Lengths of all lists.</summary>
        public RiverCounts Counts()
        {
            RiverCounts counts;
            Error error;
            Call.Check(Native.orogen_rivers_counts(Handle, out counts, out error), ref error);
            return counts;
        }

        public RiverSegment[] Segments()
        {
            var list = new RiverSegment[Counts().Segments];
            Error error;
            Call.Check(Native.orogen_rivers_segments(Handle, list, (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        /// <summary>Points of all segments: x, y and the level of the water.</summary>
        public double[] Points()
        {
            var list = new double[3 * Counts().Points];
            Error error;
            Call.Check(Native.orogen_rivers_points(Handle, ref MemoryMarshal.GetReference(list.AsSpan()), (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        public Lake[] Lakes()
        {
            var list = new Lake[Counts().Lakes];
            Error error;
            Call.Check(Native.orogen_rivers_lakes(Handle, list, (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        public Basin[] Basins()
        {
            var list = new Basin[Counts().Basins];
            Error error;
            Call.Check(Native.orogen_rivers_basins(Handle, list, (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        /// <summary>Rings of the outlines of lakes, then of basins.</summary>
        public Ring[] Rings()
        {
            var list = new Ring[Counts().Rings];
            Error error;
            Call.Check(Native.orogen_rivers_rings(Handle, list, (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        /// <summary>Corners of all rings: x and y.</summary>
        public double[] Corners()
        {
            var list = new double[2 * Counts().Corners];
            Error error;
            Call.Check(Native.orogen_rivers_corners(Handle, ref MemoryMarshal.GetReference(list.AsSpan()), (UIntPtr)list.Length, out error), ref error);
            return list;
        }

        public string ToGeoJson()
        {
            return Call.Text((byte[] text, UIntPtr size, out UIntPtr length, out Error error) =>
                Native.orogen_rivers_geojson(Handle, text, size, out length, out error));
        }

        public void Dispose() { Handle.Dispose(); }
    }

    public sealed class RiversHandle : SafeHandle
    {
        public RiversHandle() : base(IntPtr.Zero, true) { }
        public override bool IsInvalid { get { return handle == IntPtr.Zero; } }
        protected override bool ReleaseHandle() { return Native.orogen_rivers_free(handle) == 0; }
    }
}
