// A tile of a recipe's world as this package computes it, in Node and in browsers.

export const SIZE = 32;

/** Water is traced in the recipe's world, to which tile −1 does not belong. */
export const lowest = (text) => (text.includes('kind = "drainage"') ? 0 : -1);

/** The values of a tile with a border of the world in it, in each way that there is to compute them. */
export function values({ Engine, Recipe }, name, text, files) {
  const recipe = Recipe.parse(text, { name, files });
  const low = lowest(text);
  const wanted = recipe.tile(low, 0, { size: SIZE });
  const [columns, rows] = recipe.bake.tiles;
  const world = low === 0
    ? Array.from({ length: columns * rows }, (_, k) => recipe.tile(k % columns, Math.floor(k / columns)))
    : [wanted, recipe.tile(low + 1, 0, { size: SIZE })];
  const measured = Engine.shared().measure(recipe.pipeline, [recipe.pipeline.output], world);
  const found = [measured.field(wanted)];
  // If the output is a node, the noise itself has the same bits.
  let noise;
  try { ({ noise } = recipe); } catch {}
  if (noise) found.push(noise.field(wanted));
  return found;
}

/** The number of values with other bits. */
export function different(values, expected) {
  if (values.length !== expected.length) return expected.length;
  const [bits, own] = [values, expected].map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  return bits.reduce((sum, bit, i) => sum + (bit === own[i] ? 0 : 1), 0);
}
