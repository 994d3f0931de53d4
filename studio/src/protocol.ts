// The types of the protocol between the page and the server; see PROTOCOL.md.

export type Table = "node" | "stage";

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

export type ParamType =
  | "number" | "whole" | "flag" | "pair" | "vector" | "numbers" | "vectors" | "input"
  | "control_points" | "quantile_points" | "colour_stops" | "radial_points" | "file" | "hash"
  | { choice: { name: string; words: string[] } };

export type Allowed =
  | "any" | "structural" | "seed" | "increasing" | "ascending" | "sorted" | "quantiles"
  | { channels: number } | { between: [number, number] } | { dimensions: [number, number] }
  | { terms: [number, number, number] } | { each: [number, number] } | { list: [number, number, number] }
  | { told: string };

export interface Param {
  name: string;
  doc: string;
  type: ParamType;
  optional: boolean;
  allowed: Allowed;
  /** In words; null for what is not made of numbers. */
  unit: string | null;
  default: Value;
}

export interface Kind {
  kind: string;
  doc: string;
  params: Param[];
  outputs: { name: string; channels: number }[];
  /** Its names in other libraries, and what people use it for. */
  synonyms: string[];
  /** Whether it may read stages. */
  reads_stages: boolean;
}

export interface EngineInfo { backend: string; adapter: string; why: string | null }

export interface About {
  version: string;
  engine: EngineInfo;
  file: { name: string; id: string; writable: boolean } | null;
  out: string | null;
  kinds: Record<Table, Kind[]>;
  targets: string[];
  formats: string[];
  destinations: Destination[];
}

/** A program that a bake can be for, and the formats of heights that it takes. */
export interface Destination { name: string; doc: string; formats: string[] }

/** The content of the file, and the unsaved draft next to it. */
export interface FileText { name: string | null; text: string; saved: string | null; draft: string | null }

export interface Fault {
  message: string;
  line: number | null;
  column: number | null;
  table: Table | null;
  name: string | null;
  param: string | null;
}

export type Row = { kind: string } & { [param: string]: Value };

export interface BakeRow { tile: number; tiles: [number, number]; spacing: number; z: number; layers?: string[]; for?: string }

export interface Recipe {
  output: string;
  node: Record<string, Row>;
  /** Omitted if there is none. */
  stage?: Record<string, Row>;
  bake: BakeRow;
}

export interface Layer {
  layer: string;
  table: Table;
  name: string;
  /** Whether it has a value at every position, not at samples only: a node that reads no stage. */
  noise: boolean;
  channels: number;
  range: [number, number] | null;
  /** Evaluations a sample; null where finding that out takes too long. */
  cost: number | null;
}

export interface Good { ok: true; id: string; recipe: Recipe; layers: Layer[] }
export type Checked = Good | { ok: false; error: Fault };

export type Edit =
  | { op: "set"; table: Table; name: string; param: string; value: Value }
  | { op: "add"; table: Table; name: string; kind: string; params: Record<string, Value> }
  | { op: "remove"; table: Table; name: string }
  | { op: "rename"; table: Table; name: string; to: string }
  | { op: "output"; name: string }
  | { op: "bake"; param: string; value: Value }
  | { op: "vary"; by: number };

export interface Probe { value: number[]; gradient: [number, number, number] | null; octaves: { name: string; value: number }[] }

export interface Measured {
  samples: number;
  proven: [number, number] | null;
  extent: [number, number];
  mean: number;
  deviation: number;
  histogram: { lo: number; hi: number; counts: number[] };
  spectrum: { rings: [number, number][]; exponent: number | null };
  directions: { sectors: number[]; deviation: number; chance: number } | null;
  milliseconds: number;
}

/** A request for a bake. The fields are the command's flags; omitted ones take the defaults of the recipe or the command. */
export interface BakeWanted { folder: string; for?: string; layers?: string; tile?: number; format?: string; range?: string }

/** The plan of a bake. */
export interface Planned {
  for: string | null;
  tiles: number;
  /** Samples along a file's edge, and how many of them the next tile has, too. */
  edge: number;
  overlap: number;
  /** Whether the first row is the smallest y, or the largest. */
  rows: "down" | "up";
  files: { layer: string; format: string; range: { lo: number; hi: number; kind: string } | "measured" | null }[];
}

export type BakeNews =
  | { done: number; total: number; step?: string | null }
  | { root: string; folder: string; files: number }
  | { error: Fault };

export interface LiveMessage {
  hello?: { page: number };
  set?: { name: string; value: Value; text: string };
  recipe?: { text: string; id: string };
  file?: { text: string; saved: string };
  bake?: BakeNews;
  engine?: EngineInfo;
  /** The page that has caused it. */
  by?: number | null;
}
