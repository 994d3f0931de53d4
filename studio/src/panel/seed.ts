// Seeds: whole numbers of 64 bits, which numbers of JavaScript do not hold.

const LARGEST = 2n ** 64n - 1n;

/** The seed that text stands for; null for other text. */
export function seedOf(text: string): bigint | null {
  const digits = text.trim();
  if (!/^[0-9]+$/.test(digits)) return null;
  const seed = BigInt(digits);
  return seed <= LARGEST ? seed : null;
}

/** A seed as recipes have it: a number up to 2^53 − 1, else text. */
export function written(seed: bigint): number | string {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : String(seed);
}

/** The seed some steps on, held to what seeds can be. */
export function stepped(seed: bigint, by: bigint): bigint {
  const next = seed + by;
  return next < 0n ? 0n : next > LARGEST ? LARGEST : next;
}
