// A tile of heights from C#: prints a few of them, and what a mistake says.

using System;
using Orogen;

public static class Example
{
    public static int Main()
    {
        const string text = "output = \"height\"\n[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
            + "[node.height]\nkind = \"fractal\"\nof = \"basis\"\noctaves = 4\n";
        using (var engine = new Engine(Backend.Cpu))
        using (var recipe = new Recipe(text))
        using (var noise = new Noise(engine, recipe))
        {
            var tile = Region.Tile(-3, 7, 64);
            var heights = new float[tile.Samples()];
            noise.Field(tile, heights);
            var point = new float[1];
            noise.Points(new double[] { -3 * 64, 7 * 64, 0 }, point);
            double low, high;
            noise.Range(out low, out high);
            Console.WriteLine(heights[0] + " within " + low + " to " + high);
            if (point[0] != heights[0] || heights[0] != (float)noise.Value(-3 * 64, 7 * 64)) return 1;
            if (new Recipe(recipe.ToToml()).ToToml() != recipe.ToToml()) return 1;
            noise.Set("height.gain", 0.25);
            noise.SetJson("basis.seed", "9007199254740993");
            try
            {
                noise.Field(tile, new float[3]);
            }
            catch (OrogenException error)
            {
                Console.WriteLine("as it should: " + error.Message);
                return error.Status == 5 ? 0 : 1;
            }
        }
        return 1;
    }
}
