// The style of the picture: how samples become colours.

export type RangeMode = "auto" | "proven" | "fixed";

export interface Style {
  /** Lit from the north-west. */
  shaded: boolean;
  ramp: string;
  range: RangeMode;
  fixed: [number, number];
  /** Heights are multiplied by this, on top of what suits the picture by itself. */
  lift: number;
  borders: boolean;
  clipped: boolean;
  steep: number | null;
  contours: number | null;
  places: number | null;
  /** The rivers and lakes of the recipe's drainage. */
  rivers: boolean;
}

export const firstStyle: Style = {
  shaded: true,
  ramp: "auto",
  range: "auto",
  fixed: [0, 1],
  lift: 1,
  borders: false,
  clipped: false,
  steep: null,
  contours: null,
  places: null,
  rivers: false,
};

/** The colours `auto` of a layer: flat greys for masks, landscape colours for everything else. */
export function resolved(style: Style, mask: boolean): Style {
  if (style.ramp !== "auto") return style;
  return mask ? { ...style, ramp: "greys", shaded: false } : { ...style, ramp: "terrain" };
}

/** Parameters of shading that follow from the visible samples. They stay constant while the view moves. */
export interface Scale { lo: number; hi: number; lift: number; interval: number }
