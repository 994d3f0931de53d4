/** A point of a spline: its position, its value, and the slopes (output per input) before and after it, by default 0. */
export interface ControlPoint {
  at: number;
  value: number;
  slope_in?: number;
  slope_out?: number;
}

/** A point of a distribution: the probability, 0 to 1, of a value at or below this one. */
export interface QuantilePoint {
  probability: number;
  value: number;
}

/** A colour, `#RRGGBB` or `#RRGGBBAA`, and the value at which it applies. */
export interface ColourStop {
  at: number;
  colour: string;
}

/** An amplitude, and the frequency in cycles per sample at which it applies. */
export interface RadialPoint {
  frequency: number;
  amplitude: number;
}
