// Colours by value. The stops of `terrain`, `dusk` and `bone` are our own. Viridis, magma and cividis are eight to ten evenly
// spaced points of matplotlib's maps (van der Walt and Smith 2015, and Nuñez, Anderton and Renslow 2018; CC0).

const STOPS: Record<string, string[]> = {
  terrain: ["#2c5457", "#436f5c", "#66895c", "#939d63", "#bca772", "#b59174", "#a7958c", "#cfccca", "#f8f8f6"],
  greys: ["#101010", "#f4f4f4"],
  viridis: ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"],
  magma: ["#000004", "#180f3d", "#440f76", "#721f81", "#9e2f7f", "#cd4071", "#f1605d", "#fd9668", "#feca8d", "#fcfdbf"],
  cividis: ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"],
  dusk: ["#1b2a41", "#3a4a6b", "#7a6c8f", "#c08497", "#f0b99a", "#fbe9c6"],
  bone: ["#d9d4c9", "#e8e4dc", "#f6f4ef"],
};

/** `auto`: see `resolved`. */
export const RAMPS = ["auto", ...Object.keys(STOPS)];

export const STEPS = 1024;

const made = new Map<string, Uint8ClampedArray>();

/** 1024 colours from low to high, three bytes each. */
export function ramp(name: string): Uint8ClampedArray {
  const known = made.get(name);
  if (known) return known;
  const stops = (STOPS[name] ?? STOPS.greys!).map(hex);
  const colours = new Uint8ClampedArray(STEPS * 3);
  for (let i = 0; i < STEPS; i++) {
    const at = (i / (STEPS - 1)) * (stops.length - 1);
    const k = Math.min(Math.floor(at), stops.length - 2);
    const t = at - k;
    for (let c = 0; c < 3; c++) colours[3 * i + c] = stops[k]![c]! * (1 - t) + stops[k + 1]![c]! * t;
  }
  made.set(name, colours);
  return colours;
}

function hex(colour: string): [number, number, number] {
  const n = parseInt(colour.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** The same as a CSS gradient, for legends. */
export function rampCss(name: string): string {
  return `linear-gradient(to right, ${(STOPS[name] ?? STOPS.greys!).join(", ")})`;
}

/** Linear light, 0 to 1, as a byte of sRGB: a table, since powers are slow. */
const SRGB = new Uint8Array(4097).map((_, i) => {
  const v = i / 4096;
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
});

export function srgb(linear: number): number {
  return SRGB[linear <= 0 || linear !== linear ? 0 : linear >= 1 ? 4096 : (linear * 4096) | 0]!;
}
