// One node or stage: its name, its inputs on the left, a picture of each layer on the right.

import { Handle, Position, type NodeProps, type Node } from "@xyflow/react";
import { memo, useEffect, useRef, useState, type JSX } from "react";
import type { Value } from "../protocol";
import { same } from "../state/recipe";
import { get, update, useStore, type Item } from "../state/store";
import { renamed } from "./edits";
import { THUMB, wireKind, type Card } from "./model";
import { thumb, thumbKey } from "./thumbs";

export type CardNode = Node<Card, "card">;

function NodeCardPlain({ data, selected }: NodeProps<CardNode>): JSX.Element {
  const renaming = useStore((s) => s.renaming !== null && same(s.renaming, data.item));
  const { table } = data.item;
  return (
    <div className={`card ${table}${selected ? " selected" : ""}${data.fault ? " faulty" : ""}`}>
      <header title={data.doc}>
        {renaming ? <NameInput item={data.item} /> : <strong>{data.item.name}</strong>}
        {data.output !== null && <em title="The recipe's output">out</em>}
        <small>{data.kind}</small>
      </header>
      {data.fault && <p className="cardfault">{data.fault}</p>}
      <div className="ports">
        <ul className="inputs">
          {data.inputs.map((port) => (
            <li key={port.name} title={port.doc}>
              <Handle
                type="target" position={Position.Left} id={port.name}
                className={`port ${port.channels === 1 ? table : wireKind(false, port.channels)}${port.wired ? " wired" : ""}`}
              />
              <span>{port.name}</span>
              {!port.wired && <b>{short(port.value)}</b>}
            </li>
          ))}
        </ul>
        <ul className="outlets">
          {data.outlets.map((outlet) => (
            <li key={outlet.layer}>
              {outlet.channels > 0 && <Thumb layer={outlet.layer} />}
              {outlet.label && <span>{outlet.label}</span>}
              <Handle type="source" position={Position.Right} id={outlet.layer} className={`port ${wireKind(outlet.noise, outlet.channels)}`} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

export const NodeCard = memo(NodeCardPlain);

function short(value: Value): string {
  return typeof value === "number" ? String(Number(value.toPrecision(4))) : typeof value === "string" ? value : "";
}

function Thumb({ layer }: { layer: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const key = useStore((s) => (s.about && s.good ? thumbKey(s.about, s.good, layer) : null));
  useEffect(() => {
    const { about, good } = get();
    if (!about || !good || key === null) return;
    return thumb(about, good, layer, (image) => {
      const element = canvas.current;
      element?.getContext("2d")?.putImageData(image, 0, 0);
      if (element) element.dataset.drawn = "true";
    });
  }, [key, layer]);
  return <canvas ref={canvas} className="thumb" width={THUMB} height={THUMB} aria-hidden="true" />;
}

function NameInput({ item }: { item: Item }): JSX.Element {
  const [text, setText] = useState(item.name);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const done = (keep: boolean) => {
    if (get().renaming === null) return;
    update({ renaming: null });
    if (keep) renamed(item, text);
    document.querySelector<HTMLElement>(`.react-flow__node[data-id="${item.table}.${keep ? text : item.name}"]`)?.focus();
  };
  return (
    <input
      ref={input} className="nodrag rename" aria-label="New name" value={text} onChange={(event) => setText(event.target.value)}
      onBlur={() => done(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") done(true);
        if (event.key === "Escape") done(false);
      }}
    />
  );
}

