// Heights, slopes and a soil mask from C#, for one chunk of terrain.

using System;
using Orogen;

public static class Example
{
    public static int Main()
    {
        const string text = "output = \"height\"\n[node.basis]\nkind = \"simplex\"\nwavelength = 64.0\n"
            + "[node.height]\nkind = \"fractal\"\nof = \"basis\"\noctaves = 4\n"
            + "[stage.slope]\nkind = \"slope\"\nof = \"height\"\n";
        using (var engine = new Engine(Backend.Cpu))
        using (var recipe = new Recipe(text))
        using (var noise = new Noise(engine, recipe))
        {
            // Buffers are allocated once and used for every chunk.
            var chunk = Region.Chunk(-3, 7, 64);
            var heights = new float[chunk.Samples()];
            var slopes = new float[heights.Length];
            var layers = new[] { new Layer("height", heights), new Layer("slope", slopes) };
            recipe.Layers(engine, chunk, layers);

            double low, high;
            noise.Range(out low, out high);
            Console.WriteLine(heights[0] + " within " + low + " to " + high + ", slope " + slopes[0]);
            if (heights[0] != (float)noise.Value(-3 * 64, 7 * 64)) return 1;

            noise.Set("height.gain", 0.25);
            try
            {
                noise.Field(chunk, new float[3]);
            }
            catch (OrogenException error)
            {
                Console.WriteLine("as expected: " + error.Message);
                return error.Status == Status.Size ? 0 : 1;
            }
        }
        return 1;
    }
}
