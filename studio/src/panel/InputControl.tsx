// An input: the name of what it reads, or a number.

import type { JSX } from "react";
import { misfit } from "../state/recipe";
import { useStore, type Item } from "../state/store";
import { NumberBox, type FieldProps } from "./fields";

export function InputControl({ param, value, set, label, item }: FieldProps<string | number | null> & { item: Item }): JSX.Element {
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const fitting = about && good ? good.layers.filter((l) => misfit(about, good, l.layer, item, param.name) === null) : [];
  const named = typeof value === "string" ? value : "";
  return (
    <div className="numberrow input">
      <select
        aria-label={label} value={named === "" ? "=" : named}
        onChange={(event) => set(event.target.value === "=" ? (typeof param.default === "number" ? param.default : 0) : event.target.value, false)}
      >
        <option value="=">a number</option>
        {named !== "" && !fitting.some((l) => l.layer === named) && <option value={named}>{named}</option>}
        {fitting.map((l) => <option key={l.layer} value={l.layer}>{l.layer}</option>)}
      </select>
      {typeof value !== "string" && <NumberBox value={value ?? 0} set={(v) => set(v, false)} label={`${label}, number`} express={(text) => set(`= ${text}`, false)} />}
    </div>
  );
}
