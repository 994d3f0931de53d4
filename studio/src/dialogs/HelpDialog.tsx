// All keys.

import type { JSX } from "react";
import { useStore } from "../state/store";
import { Dialog } from "./Dialog";

const KEYS: [string, [string, string][]][] = [
  ["Everywhere", [
    ["Ctrl Z, Ctrl Shift Z", "undo, redo"], ["Ctrl S", "save"], ["?", "this list"],
    ["1, 2, 3, 4", "graph, picture, text, parameters"],
  ]],
  ["Graph", [
    ["Space, double click", "add a node"], ["Tab, arrow keys", "from node to node"], ["Enter", "to its parameters"],
    ["F2", "rename"], ["Ctrl D", "duplicate"], ["Ctrl C, Ctrl V", "copy, paste"], ["Ctrl A", "select all"], ["Delete", "delete"],
    ["Ctrl G", "a frame around what is selected"], ["O", "make it the output"], ["L", "lay out"], ["F", "fit the view"],
    ["Shift drag", "select a box"], ["drag a wire into the void", "add what reads it"],
  ]],
  ["Picture", [
    ["Drag, arrow keys", "move (in 3D, a drag turns)"], ["Wheel, + and −", "zoom"], ["Shift arrow keys", "move far"],
  ]],
  ["Fields", [
    ["Arrow up, down", "step; with Shift ten steps"], ["Enter", "take the number"], ["Escape", "leave it as it was"],
    ["Delete", "remove the point or the stop"],
  ]],
];

export function HelpDialog(): JSX.Element {
  const about = useStore((s) => s.about);
  return (
    <Dialog title="Keys" wide>
      <div className="keys">
        {KEYS.map(([where, rows]) => (
          <section key={where}>
            <h3>{where}</h3>
            <dl>{rows.map(([key, what]) => <div key={key}><dt>{key}</dt><dd>{what}</dd></div>)}</dl>
          </section>
        ))}
      </div>
      {about && <p className="dim">Orogen {about.version}, computing on {about.engine.backend}: {about.engine.adapter}{about.engine.why ? ` (${about.engine.why})` : ""}.</p>}
    </Dialog>
  );
}
