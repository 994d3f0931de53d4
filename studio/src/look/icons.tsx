// Icons, drawn on a grid of 16.

import type { JSX } from "react";

const PATHS = {
  undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7",
  redo: "M10 3l3.5 3.5L10 10M13 6.5H6.5a4 4 0 0 0 0 8H9",
  add: "M8 3v10M3 8h10",
  layout: "M2 3h4v4H2zM10 2h4v3h-4zM10 10h4v4h-4zM6 5h2v-1.500h2M8 5v7h2",
  save: "M3 2.500h8L13.500 5v8.500h-11v-11zM5.500 2.500v3.500h4.500V2.500M5 13.500V9.500h6v4",
  share: "M6.500 9.500l3-3M7 5l1.500-1.500a2.800 2.800 0 0 1 4 4L11 9M9 11l-1.500 1.500a2.800 2.800 0 0 1-4-4L5 7",
  export: "M8 10V2M5 5l3-3 3 3M3 9v4.500h10V9",
  bake: "M2 13.500h12M3 11l3.500-6 2.500 4 1.500-2 2.500 4z",
  sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z",
  help: "M5.500 6a2.500 2.500 0 1 1 3.700 2.200C8.300 8.700 8 9.200 8 10M8 12.500v.3",
  dice: "M3 3h10v10H3zM5.800 5.800h.01M10.200 5.800h.01M8 8h.01M5.800 10.200h.01M10.200 10.200h.01",
  reset: "M3 8a5 5 0 1 0 1.500-3.500L3 6M3 2.500V6h3.500",
  close: "M4 4l8 8M12 4l-8 8",
  cube: "M8 1.500l5.500 3v7L8 14.500l-5.500-3v-7zM2.500 4.500 8 7.500l5.500-3M8 7.500v7",
  layers: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  compare: "M8 1.500v13M6 4H2.500v8H6M10 4h3.500v8H10",
  camera: "M2 5h3l1-1.500h4L11 5h3v8H2zM8 7a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
  home: "M2.500 8 8 3l5.500 5M4 7.500V13h8V7.500",
  range: "M2 13V3M14 13V3M4.500 8h7M6 6 4 8l2 2M10 6l2 2-2 2",
  more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
  trash: "M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.5 9h6l.5-9",
  target: "M8 3.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9M8 1v4M8 11v4M1 8h4M11 8h4",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  eye: "M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8zM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
