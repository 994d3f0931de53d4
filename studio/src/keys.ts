// Keys that mean the same everywhere. Text fields keep their own undo.

import { useEffect } from "react";
import { redo, undo } from "./state/actions";
import { save } from "./state/document";
import { get, update } from "./state/store";

export function useKeys(): void {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const typing = target.closest("input:not([type=range]):not([type=checkbox]), textarea, select, .cm-editor") !== null;
      const command = event.ctrlKey || event.metaKey;
      const act = (go: () => void) => {
        event.preventDefault();
        go();
      };
      if (command && event.key.toLowerCase() === "s") return act(() => void save());
      if (get().dialog) return;
      if (command && event.key.toLowerCase() === "z" && !typing) return act(event.shiftKey ? redo : undo);
      if (command && event.key.toLowerCase() === "y" && !typing) return act(redo);
      if (command || event.altKey || typing) return;
      if (event.key === "?") act(() => update({ dialog: { kind: "help" } }));
      else if (event.key === "1") act(() => go("graph", ".graph"));
      else if (event.key === "2") act(() => document.querySelector<HTMLElement>(".map:not([hidden]), canvas.mesh")?.focus());
      else if (event.key === "3") act(() => go("text", ".cm-content"));
      else if (event.key === "4") act(() => document.querySelector<HTMLElement>(".panel input, .panel select, .panel button")?.focus());
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

function go(left: "graph" | "text", selector: string): void {
  update({ left });
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}
