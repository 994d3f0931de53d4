// Tests the C# interface under Mono: Test RECIPES. Covers results, exceptions, and that calls on hot paths allocate nothing.

using System;
using System.Collections.Generic;
using System.Threading;
using Orogen;

public static class Test
{
    private const string Hills = "output = \"height\"\n[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
        + "[node.height]\nkind = \"fractal\"\nof = \"basis\"\noctaves = 4\n[stage.soft]\nkind = \"gaussian\"\nof = \"height\"\n"
        + "[stage.map]\nkind = \"colour\"\nby = \"height\"\nmap = \"viridis\"\nrange = [-1.0, 1.0]\n"
        + "[stage.wide]\nkind = \"normalise\"\nof = \"height\"\n";

    private const string Clouds = "output = \"clouds\"\n[node.clouds]\nkind = \"simplex\"\ndimensions = 4\nwavelength = 20.0\n";

    private const string Ground = "output = \"ground\"\n[node.ground]\nkind = \"raster\"\nheights = \"memory\"\nsampling = \"linear\"\nspacing = [4.0, 2.0]\n";

    private const string Water = "output = \"water\"\n[node.basis]\nkind = \"simplex\"\nwavelength = 40.0\n"
        + "[node.height]\nkind = \"fractal\"\nof = \"basis\"\n[stage.water]\nkind = \"drainage\"\nof = \"height\"\n";

    private static int checks = 0;

    private static void Check(bool holds, string what)
    {
        checks++;
        if (!holds) throw new Exception("not so: " + what);
    }

    private static void Throws(Status status, string words, Action call)
    {
        checks++;
        try
        {
            call();
        }
        catch (OrogenException error)
        {
            if (error.Status == status && error.Message.Contains(words)) return;
            throw new Exception("another error than " + status + ", '" + words + "': " + error.Status + ", '" + error.Message + "'");
        }
        throw new Exception("no error: " + status + ", '" + words + "'");
    }

    /// <summary>The call allocates nothing that the garbage collector counts, after it has run a few times.</summary>
    private static void AllocatesNothing(string what, Action call)
    {
        for (int i = 0; i < 3; i++) call();
        int collections = GC.CollectionCount(0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 300; i++) call();
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        Check(bytes == 0 && GC.CollectionCount(0) == collections, what + " allocates " + bytes + " bytes in 300 calls");
    }

    private static object kept;

    private static void Counter()
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 300; i++) kept = new byte[1];
        Check(GC.GetAllocatedBytesForCurrentThread() - before >= 300, "the counter counts, " + kept);
    }

    private static bool Same(float[] a, float[] b) { return new ReadOnlySpan<float>(a).SequenceEqual(b); }

    private static void Noises(Engine engine)
    {
        using (var recipe = new Recipe(Hills))
        using (var noise = new Noise(engine, recipe, "height"))
        {
            var region = Region.Tile(-3, 7, 8);
            Check(region.Samples() == 64 && Region.Chunk(0, 0, 8).Samples() == 81 && Region.Plane(3, 5).Samples() == 15, "samples");
            var values = new float[64];
            var gradients = new float[192];
            var alone = new float[64];
            var positions = new double[192];
            for (int i = 0; i < 64; i++)
            {
                positions[3 * i] = -24 + i % 8;
                positions[3 * i + 1] = 56 + i / 8;
            }
            noise.Field(region, alone);
            noise.Field(region, values, gradients);
            Check(Same(alone, values) && gradients[0] != 0 && gradients[2] == 0, "values with gradients");
            var atPoints = new float[64];
            var gradientsAtPoints = new float[192];
            noise.Points(positions, atPoints, gradientsAtPoints);
            Check(Same(atPoints, values) && Same(gradientsAtPoints, gradients), "points");
            noise.Points(positions, alone);
            Check(Same(alone, values), "points without gradients");
            Check((float)noise.Value(-24, 56) == values[0], "one value");
            // Part of an array: the rest is untouched.
            var large = new float[70];
            noise.Field(region, new Span<float>(large, 3, 64));
            Check(large[2] == 0 && large[67] == 0 && large[3] == values[0] && large[66] == values[63], "a span");
            double low, high;
            noise.Range(out low, out high);
            Check(low < 0 && high > 0, "range");

            noise.Set("height.gain", 0.25);
            Check(noise.GetJson("height.gain") == "0.25", "a number");
            noise.SetJson("basis.seed", "9007199254740993");
            Check(noise.GetJson("basis.seed") == "9007199254740993", "a large seed");
            Throws(Status.Parameter, "accumulate", () => noise.SetWord("height.accumulate", "ridged"));
            Throws(Status.Parameter, "no parameter 'sea'", () => noise.Set("height.sea", 1));
            Throws(Status.Size, "values of 3 numbers is not allowed; allowed: 64", () => noise.Field(region, new float[3]));
            Throws(Status.Size, "gradients of 3 numbers is not allowed; allowed: 192", () => noise.Field(region, values, new float[3]));
            Throws(Status.Size, "values of 2 numbers", () => noise.Points(new double[3], new float[2]));
            Throws(Status.Region, "point 0", () => noise.Value(double.NaN, 0));
            Throws(Status.Recipe, "sea", () => new Noise(engine, recipe, "sea"));
            region.SizeX = 0;
            Throws(Status.Region, "size = [0, 8, 1]", () => region.Samples());
            try
            {
                noise.Set("height.gain\0", 1);
                throw new Exception("a character 0 was accepted");
            }
            catch (ArgumentException) { }
        }
    }

    private static void Times(Engine engine)
    {
        using (var recipe = new Recipe(Clouds))
        using (var noise = new Noise(engine, recipe))
        using (var later = new Noise(engine, recipe))
        {
            var region = Region.Plane(8, 4);
            var now = new float[32];
            var slopes = new float[96];
            var expected = new float[32];
            var gradients = new float[96];
            later.Set("clouds.w", 2.5);
            later.Field(region, expected, gradients);
            noise.FieldAt(region, 2.5, now);
            Check(Same(now, expected), "a field at another time");
            Array.Clear(now, 0, 32);
            noise.FieldAt(region, 2.5, now, slopes);
            Check(Same(now, expected) && Same(slopes, gradients), "gradients at another time");
            noise.FieldAt(region, 0, now);
            Check(!Same(now, expected), "time changes the field");
            var gradient = new double[3];
            Check((float)noise.ValueAt(3, 1, 0, 2.5) == expected[11], "a value at another time");
            Check((float)noise.ValueWithGradient(3, 1, 0, gradient, 2.5) == expected[11] && (float)gradient[1] == gradients[34], "its gradient");
            Check(noise.ValueWithGradient(3, 1, 0, gradient) == noise.Value(3, 1), "value and gradient");
            var points = new float[2];
            noise.Points4D(new double[] { 3, 1, 0, 2.5, 3, 1, 0, 0 }, points);
            Check(points[0] == expected[11] && points[1] == now[11], "points with a time each");
            Throws(Status.Region, "w = inf", () => noise.ValueAt(3, 1, 0, double.PositiveInfinity));
            Throws(Status.Size, "values of 3", () => noise.Points4D(new double[8], new float[3]));

            noise.SetAll(new[] { "clouds.w", "clouds.wavelength" }, new[] { 2.5, 30 });
            later.Set("clouds.wavelength", 30);
            noise.Field(region, now);
            later.Field(region, expected);
            Check(Same(now, expected), "several numbers");
            Throws(Status.Parameter, "wavelength", () => noise.SetAll(new[] { "clouds.w", "clouds.wavelength" }, new double[] { 9, -1 }));
            noise.Field(region, now);
            Check(Same(now, expected), "all or nothing");
            noise.SetSeed("clouds.seed", ulong.MaxValue);
            recipe.SetSeed("clouds.seed", ulong.MaxValue);
            Check(noise.GetJson("clouds.seed") == "18446744073709551615" && recipe.GetJson("clouds.seed") == "18446744073709551615", "the largest seed");
        }
    }

    private static void Together(Engine engine)
    {
        using (var recipe = new Recipe(Hills))
        using (var noise = new Noise(engine, recipe))
        using (var both = new Noises(engine, recipe, null, "basis"))
        {
            var region = Region.Tile(-3, 7, 8);
            var values = new float[128];
            var alone = new float[64];
            both.Field(region, values);
            noise.Field(region, alone);
            bool same = both.Count == 2 && values[1] != values[0];
            for (int i = 0; i < 64; i++) same &= values[2 * i] == alone[i];
            Check(same, "noises together");
            var points = new float[2];
            both.Points(new double[] { -24, 56, 0 }, points);
            Check(points[0] == values[0] && points[1] == values[1], "points together");
            both.SetAll(new[] { "basis.wavelength", "height.gain" }, new[] { 32, 0.25 });
            both.Points(new double[] { -23, 56, 0 }, points);
            Check(points[0] != values[2] && points[1] != values[3], "numbers of noises together");
            Throws(Status.Size, "allowed: 128", () => both.Field(region, alone));
            Throws(Status.Recipe, "sea", () => new Noises(engine, recipe, "sea"));
            Throws(Status.Size, "0 noises", () => new Noises(engine, recipe));
        }
    }

    private static void Recipes(Engine engine, string folder)
    {
        using (var recipe = new Recipe(Hills))
        {
            using (var again = new Recipe(recipe.ToToml())) Check(again.ToJson() == recipe.ToJson(), "written and read");
            Check(recipe.Output() == "height", "output");
            Check(string.Join(" ", recipe.LayerNames()) == "soft map wide basis height", string.Join(" ", recipe.LayerNames()));
            Check(recipe.Channels() == 1 && recipe.Channels("map") == 4, "channels");
            recipe.SetJson("map.range", "[-2, 2]");
            Check(recipe.GetJson("map.range") == "[-2.0,2.0]", "a list");
            recipe.Set("soft.sigma", 3);
            Throws(Status.Parameter, "map", () => recipe.SetWord("map.map", "sea"));
            Region tile;
            uint x, y;
            recipe.Bake(out tile, out x, out y);
            Check(tile.SizeX > 0 && x > 0 && y > 0, "bake");

            var region = Region.Plane(16, 8);
            var soft = new float[128];
            var map = new float[512];
            var height = new float[128];
            var layers = new[] { new Layer("soft", soft), new Layer("map", map), new Layer(null, height) };
            recipe.Layers(engine, region, layers);
            Check(Same(soft, recipe.Layer(engine, region, "soft")) && Same(map, recipe.Layer(engine, region, "map")), "layers at once");
            Check(Same(height, recipe.Layer(engine, region)) && !Same(soft, height), "the output");
            Throws(Status.Size, "layer 'soft' of 1 numbers", () => recipe.Layers(engine, region, new[] { new Layer("soft", new float[1]) }));
            Throws(Status.Recipe, "sea", () => recipe.Layers(engine, region, new[] { new Layer("sea", soft) }));
            Throws(Status.Null, "values of a layer", () => recipe.Layers(engine, region, new[] { new Layer("soft", IntPtr.Zero, 128) }));
            var many = new List<Layer>();
            for (int i = 0; i < 100; i++) many.Add(new Layer(i % 2 == 0 ? "height" : "basis", new float[128]));
            recipe.Layers(engine, region, many.ToArray());
            using (var whole = new Recipe(Hills.Replace("output = \"height\"", "output = \"wide\"")))
            using (var measured = whole.Measured(engine, new[] { Region.Plane(64, 64) }))
                Check(!Same(measured.Layer(engine, region), whole.Layer(engine, region)), "measured");
        }
        using (var loaded = Recipe.Load(folder + "/hills.toml")) Check(loaded.LayerNames().Length > 1, "a file");
        Throws(Status.File, "no such file.toml", () => Recipe.Load("no such file.toml"));
        Throws(Status.Recipe, "recipe.toml:1", () => new Recipe("output = 3"));
        Throws(Status.Null, "text", () => new Recipe(null));
    }

    private static void Heights(Engine engine)
    {
        var numbers = new float[] { 1, 2, 3, 10, 20, 30 };
        using (var recipe = new Recipe(Ground))
        {
            recipe.SetHeights("ground", numbers, 3, 2);
            numbers[5] = 0;
            using (var noise = new Noise(engine, recipe))
            {
                Check(noise.Value(8, 2) == 30, "heights are copied");
                noise.SetJson("ground.spacing", "[1, 1]");
                Check(noise.Value(2, 1) == 30, "spacing");
            }
            Throws(Status.Size, "allowed: 8", () => recipe.SetHeights("ground", numbers, 4, 2));
            numbers[5] = float.PositiveInfinity;
            Throws(Status.Argument, "column 2 of row 1", () => recipe.SetHeights("ground", numbers, 3, 2));
        }
    }

    private static void Exports(Engine engine)
    {
        using (var recipe = new Recipe(Hills))
        using (var noise = new Noise(engine, recipe, "height"))
        {
            foreach (Language language in Enum.GetValues(typeof(Language)))
            {
                var file = noise.Export(new ExportOptions { Language = language, Prefix = "hills", Name = "H\u00fcgel" });
                bool binary = language == Language.Spirv;
                var text = System.Text.Encoding.UTF8.GetString(file);
                Check(binary ? file[0] == 3 && file[1] == 2 : text.Contains("hills_value") && text.Contains("H\u00fcgel"), language.ToString());
            }
            Check(noise.Export().Length > 100, "the defaults");
            var tables = noise.ExportTables(new ExportOptions { Language = Language.Hlsl, Storage = Storage.Buffer, Prefix = "hills" });
            Check(tables.Contains("\"name\":\"hills_"), "tables");
            Throws(Status.Argument, "prefix = '9 lives'", () => noise.Export(new ExportOptions { Prefix = "9 lives" }));
        }
    }

    private static void FindsRivers(Engine engine)
    {
        using (var recipe = new Recipe(Water))
        using (var rivers = new Rivers(engine, recipe, Region.Plane(96, 80), RiverOptions.From(60)))
        {
            var counts = rivers.Counts();
            var segments = rivers.Segments();
            var points = rivers.Points();
            var lakes = rivers.Lakes();
            var basins = rivers.Basins();
            var rings = rivers.Rings();
            var corners = rivers.Corners();
            Check(segments.Length > 10 && points.Length == 3 * (int)counts.Points && lakes.Length > 2 && basins.Length > 2, "rivers");
            ulong next = 0;
            int mouths = 0;
            foreach (var segment in segments)
            {
                Check(segment.FirstPoint == next && segment.PointCount >= 2 && segment.Order >= 1 && segment.Area >= 60, "a segment");
                next += segment.PointCount;
                for (ulong i = segment.FirstPoint + 1; i < next; i++) Check(points[3 * i + 2] <= points[3 * i - 1], "water does not rise");
                if (segment.Into == RiverSegment.Mouth) mouths++;
            }
            Check(next == counts.Points && mouths > 1, "points");
            var last = basins[basins.Length - 1];
            Check(lakes[0].FirstRing == 0 && lakes[0].Depth > 0 && last.FirstRing + last.RingCount == counts.Rings, "outlines");
            foreach (var ring in rings)
            {
                ulong end = ring.FirstCorner + ring.CornerCount - 1;
                Check(corners[2 * ring.FirstCorner] == corners[2 * end] && corners[2 * ring.FirstCorner + 1] == corners[2 * end + 1], "a ring is closed");
            }
            Check(rivers.ToGeoJson().Contains("\"kind\":\"basin\""), "GeoJSON");
            Throws(Status.Recipe, "stage = height", () => new Rivers(engine, recipe, Region.Plane(8, 8), RiverOptions.From(60), "height"));
            Throws(Status.Argument, "area = 0", () => new Rivers(engine, recipe, Region.Plane(8, 8), RiverOptions.From(0)));
        }
    }

    private static void Allocations()
    {
        using (var engine = new Engine(Backend.Cpu, EngineOptions.CallerThread))
        using (var recipe = new Recipe(Hills))
        using (var raster = new Recipe(Ground))
        using (var noise = new Noise(engine, recipe, "height"))
        using (var both = new Noises(engine, recipe, "height", "basis"))
        {
            var region = Region.Plane(8, 8);
            var values = new float[64];
            var two = new float[128];
            var paths = new[] { "height.gain", "basis.wavelength" };
            var numbers = new[] { 0.5, 64 };
            var gradient = new double[3];
            var positions4D = new double[256];
            var gradients = new float[192];
            var positions = new double[192];
            var layers = new[] { new Layer("height", values), new Layer("basis", new float[64]) };
            double low, high;
            AllocatesNothing("Field", () => noise.Field(region, values));
            AllocatesNothing("Field with gradients", () => noise.Field(region, values, gradients));
            AllocatesNothing("Points", () => noise.Points(positions, values));
            AllocatesNothing("Points with gradients", () => noise.Points(positions, values, gradients));
            AllocatesNothing("Value", () => noise.Value(1, 2, 3));
            AllocatesNothing("ValueWithGradient", () => noise.ValueWithGradient(1, 2, 3, gradient));
            AllocatesNothing("FieldAt", () => noise.FieldAt(region, 1.5, values));
            AllocatesNothing("Points4D", () => noise.Points4D(positions4D, values));
            AllocatesNothing("SetAll", () => noise.SetAll(paths, numbers));
            AllocatesNothing("SetSeed", () => noise.SetSeed("basis.seed", 7));
            AllocatesNothing("Noises.Field", () => both.Field(region, two));
            AllocatesNothing("Noises.Points", () => both.Points(positions, two));
            AllocatesNothing("Noises.SetAll", () => both.SetAll(paths, numbers));
            AllocatesNothing("Range", () => noise.Range(out low, out high));
            AllocatesNothing("Set", () => noise.Set("height.gain", 0.5));
            AllocatesNothing("SetJson", () => noise.SetJson("height.gain", "0.5"));
            AllocatesNothing("Recipe.Set", () => recipe.Set("height.gain", 0.5));
            AllocatesNothing("Recipe.SetJson", () => recipe.SetJson("map.range", "[-1, 1]"));
            AllocatesNothing("Layers", () => recipe.Layers(engine, region, layers));
            AllocatesNothing("SetHeights", () => raster.SetHeights("ground", values, 8, 8));
            AllocatesNothing("Channels", () => recipe.Channels("map"));
            AllocatesNothing("Tile and Samples", () => Region.Tile(1, 2, 8).Samples());
        }
    }

    /// <summary>Several threads use one noise while another disposes it: every call succeeds or throws
    /// ObjectDisposedException.</summary>
    private static void Lifetime(Engine engine)
    {
        for (int round = 0; round < 20; round++)
        {
            var recipe = new Recipe(Hills);
            var noise = new Noise(engine, recipe, "height");
            recipe.Dispose();
            var expected = new float[64];
            noise.Field(Region.Plane(8, 8), expected);
            string wrong = null;
            var threads = new Thread[3];
            for (int i = 0; i < threads.Length; i++)
            {
                threads[i] = new Thread(() =>
                {
                    var values = new float[64];
                    try
                    {
                        for (;;)
                        {
                            noise.Field(Region.Plane(8, 8), values);
                            if (!Same(values, expected)) wrong = "another field";
                        }
                    }
                    catch (ObjectDisposedException) { }
                    catch (Exception error) { wrong = error.ToString(); }
                });
                threads[i].Start();
            }
            Thread.Sleep(2);
            noise.Dispose();
            noise.Dispose();
            foreach (var thread in threads) thread.Join();
            Check(wrong == null, wrong);
        }
        // Undisposed objects are freed by the finalizer.
        for (int i = 0; i < 50; i++) new Recipe(Hills);
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    public static int Main(string[] arguments)
    {
        Check(Library.Version.Contains("."), "version");
        Counter();
        Throws(Status.Argument, "threads = 1025", () => new Engine(Backend.Cpu, 1025));
        Throws(Status.Device, "water = gpu", () => new Engine(new EngineOptions { Backend = Backend.Cpu, Water = Orogen.Water.Gpu }));
        Throws(Status.Device, "no adapter is called so", () => new Engine(new EngineOptions { Backend = Backend.Gpu, Adapter = "no adapter is called so" }));
        using (var engine = new Engine(Backend.Cpu, 2))
        {
            Check(engine.Describe().Contains("\"backend\":\"cpu\""), engine.Describe());
            Noises(engine);
            Times(engine);
            Together(engine);
            Recipes(engine, arguments[0]);
            Heights(engine);
            Exports(engine);
            FindsRivers(engine);
            Lifetime(engine);
        }
        Allocations();
        Console.WriteLine("C#: " + checks + " checks passed");
        return 0;
    }
}
