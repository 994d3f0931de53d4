// Numbers as people type them: with a decimal comma, a typographic minus, or as a short calculation.

/** The value of `text`: numbers, + − × ÷ ^, brackets, `pi`; null for other text. A comma is a decimal point. */
export function calculated(text: string): number | null {
  const tokens = text.replaceAll("−", "-").replaceAll("×", "*").replaceAll("÷", "/").replaceAll(",", ".").toLowerCase()
    .match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|pi|[-+*/^()]|\S/g) ?? [];
  let at = 0;
  /** Takes the next token if it is one of these. */
  const take = (...these: string[]): string | null => (these.includes(tokens[at] ?? "") ? tokens[at++]! : null);
  const sum = (): number => {
    let value = product();
    for (let sign = take("+", "-"); sign; sign = take("+", "-")) value += sign === "+" ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = signed();
    for (let sign = take("*", "/"); sign; sign = take("*", "/")) value = sign === "*" ? value * signed() : value / signed();
    return value;
  };
  const signed = (): number => (take("-") ? -signed() : take("+") ? signed() : power());
  const power = (): number => {
    const base = atom();
    return take("^") ? base ** signed() : base;
  };
  const atom = (): number => {
    if (take("(")) {
      const value = sum();
      return take(")") ? value : NaN;
    }
    const token = tokens[at++] ?? "";
    return token === "pi" ? Math.PI : /^[\d.]/.test(token) ? Number(token) : NaN;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
