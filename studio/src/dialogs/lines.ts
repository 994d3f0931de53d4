// The lines of two texts that differ: longest common subsequence, after removal of the common beginning and end.

export interface Line { text: string; other: boolean }

export function differences(mine: string, theirs: string): { mine: Line[]; theirs: Line[] } {
  const [a, b] = [mine.split("\n"), theirs.split("\n")];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [m, n] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  // Above this number of lines the table would be large, and a list of differences of no use.
  const common = m.length * n.length > 4_000_000 ? { a: new Set<number>(), b: new Set<number>() } : subsequence(m, n);
  const side = (all: string[], middle: number, kept: Set<number>) =>
    all.map((text, i) => ({ text, other: i >= head && i < head + middle && !kept.has(i - head) }));
  return { mine: side(a, m.length, common.a), theirs: side(b, n.length, common.b) };
}

function subsequence(a: string[], b: string[]): { a: Set<number>; b: Set<number> } {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1]! + 1 : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const kept = { a: new Set<number>(), b: new Set<number>() };
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept.a.add(i++);
      kept.b.add(j++);
    } else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return kept;
}
