// The library's functions.

using System;
using System.Runtime.InteropServices;

namespace Orogen
{
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeEngineOptions
    {
        internal int Backend;
        internal uint Threads;
        internal ulong Memory;
        internal IntPtr Adapter;
        internal IntPtr Cache;
        internal int Water;
    }

    /// <summary>The functions of orogen.h. capi/tests/bindings.rs compares these declarations with the header.</summary>
    internal static class Native
    {
        private const string Library = "orogen";
        private const CallingConvention C = CallingConvention.Cdecl;
        /// <summary>OROGEN_ABI_VERSION: the version of the interface that these files were written for.</summary>
        private const uint AbiVersion = 1;

        static Native()
        {
            uint found = orogen_abi_version();
            if (found != AbiVersion)
                throw new InvalidOperationException("the library's interface has version " + found + "; allowed: " + AbiVersion + ", as in Native.cs");
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
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_value_at(NoiseHandle noise, double x, double y, double z, double w, out double value, ref double gradient, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_field_at(NoiseHandle noise, ref Region region, double w, ref float values, UIntPtr valueCount, ref float gradients, UIntPtr gradientCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_points_4d(NoiseHandle noise, ref double positions, UIntPtr pointCount, ref float values, UIntPtr valueCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noises_prepare(EngineHandle engine, RecipeHandle recipe, IntPtr[] nodes, UIntPtr nodeCount, out NoisesHandle noises, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noises_field(NoisesHandle noises, ref Region region, ref float values, UIntPtr valueCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noises_points(NoisesHandle noises, ref double positions, UIntPtr pointCount, ref float values, UIntPtr valueCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noises_set_numbers(NoisesHandle noises, NativeNumber[] numbers, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noises_free(IntPtr noises);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_heights(RecipeHandle recipe, byte[] node, ref float values, UIntPtr valueCount, uint columns, uint rows, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_number(NoiseHandle noise, byte[] path, double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_numbers(NoiseHandle noise, NativeNumber[] numbers, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_seed(NoiseHandle noise, byte[] path, ulong seed, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_word(NoiseHandle noise, byte[] path, byte[] word, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_set_json(NoiseHandle noise, byte[] path, byte[] json, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_get_json(NoiseHandle noise, byte[] path, [Out] byte[] json, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_number(RecipeHandle recipe, byte[] path, double value, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_seed(RecipeHandle recipe, byte[] path, ulong seed, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_word(RecipeHandle recipe, byte[] path, byte[] word, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_set_json(RecipeHandle recipe, byte[] path, byte[] json, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_recipe_get_json(RecipeHandle recipe, byte[] path, [Out] byte[] json, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_layers(EngineHandle engine, RecipeHandle recipe, ref Region region, NativeLayer[] layers, UIntPtr layerCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern RiverOptions orogen_river_options(double area);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_find(EngineHandle engine, RecipeHandle recipe, byte[] stage, ref Region world, ref RiverOptions options, out RiversHandle rivers, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_counts(RiversHandle rivers, out RiverCounts counts, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_segments(RiversHandle rivers, [Out] RiverSegment[] segments, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_lakes(RiversHandle rivers, [Out] Lake[] lakes, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_basins(RiversHandle rivers, [Out] Basin[] basins, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_rings(RiversHandle rivers, [Out] Ring[] rings, UIntPtr count, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_points(RiversHandle rivers, ref double points, UIntPtr numberCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_corners(RiversHandle rivers, ref double corners, UIntPtr numberCount, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_geojson(RiversHandle rivers, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_rivers_free(IntPtr rivers);
        [DllImport(Library, CallingConvention = C)] internal static extern NativeExportOptions orogen_export_options();
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_export(NoiseHandle noise, ref NativeExportOptions options, [Out] byte[] file, UIntPtr size, out UIntPtr length, out Error error);
        [DllImport(Library, CallingConvention = C)] internal static extern int orogen_noise_export_tables(NoiseHandle noise, ref NativeExportOptions options, [Out] byte[] text, UIntPtr size, out UIntPtr length, out Error error);
    }
}
