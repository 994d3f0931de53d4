// The node editor. The recipe determines its content; only positions, frames and the selection are stored here.

import {
  applyNodeChanges, Background, BackgroundVariant, ReactFlow, useReactFlow, ReactFlowProvider, type Connection, type Edge as FlowEdge,
  type NodeChange,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useRef, useState, type JSX, type KeyboardEvent, type MouseEvent } from "react";
import type { Table } from "../protocol";
import { itemOf, keyOf, misfit, same } from "../state/recipe";
import { get, tell, update, useStore, type Item } from "../state/store";
import { add, connect, copyItems, disconnect, duplicate, paste, remove, select, setOutput } from "./edits";
import { Frame, FrameActions } from "./Frame";
import { frameNodes, storedGroups, storeGroups, type FrameNode, type Group } from "./frames";
import { neighbour } from "./keys";
import { arrange, placed, storedPlaces, storePlaces, type Places } from "./layout";
import { CARD_WIDTH, modelOf, sameCard, wireKind } from "./model";
import { NodeCard, type CardNode } from "./NodeCard";
import { Palette } from "./Palette";

type AnyNode = CardNode | FrameNode;
/** Below this zoom, cards show their names only, larger. */
const FAR = 0.55;
const LEAST_READABLE = 0.6;

const nodeTypes = { card: NodeCard, frame: Frame };

export function Graph(): JSX.Element {
  return (
    <ReactFlowProvider>
      <Editor />
    </ReactFlowProvider>
  );
}

function Editor(): JSX.Element {
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const fault = useStore((s) => s.fault);
  const selection = useStore((s) => s.selection);
  const file = useStore((s) => s.about?.file?.id ?? null);
  const dialog = useStore((s) => s.dialog);
  const theme = useStore((s) => s.theme);
  const flow = useReactFlow<AnyNode>();
  const root = useRef<HTMLDivElement>(null);
  const model = useMemo(() => (about && good ? modelOf(about, good, fault) : null), [about, good, fault]);
  const [places, setPlaces] = useState<Places>(() => storedPlaces(file));
  const [groups, setGroups] = useState<Group[]>(() => storedGroups(file));
  const [cards, setCards] = useState<CardNode[]>([]);
  const [chosenWires, setChosenWires] = useState<ReadonlySet<string>>(new Set());
  const refused = useRef<string | null>(null);

  // The recipe changed: cards keep where they are and how large they were found to be.
  useEffect(() => {
    if (!model) {
      setCards([]);
      return;
    }
    const next = placed(model, places);
    if (next !== places) setPlaces(next);
    setCards((before) => {
      const known = new Map(before.map((node) => [node.id, node]));
      return model.cards.map((card): CardNode => {
        const id = keyOf(card.item);
        const old = known.get(id);
        const selected = selection.some((item) => same(item, card.item));
        // Cards of which nothing is another stay the same objects, and are not drawn anew.
        if (old && old.selected === selected && old.position === next[id] && sameCard(old.data, card)) return old;
        return {
          ...old, id, type: "card", data: card, position: next[id] ?? { x: 0, y: 0 }, width: CARD_WIDTH,
          selected, ariaLabel: `${card.kind} ${card.item.name}`,
        };
      });
    });
  }, [model, places, selection]);

  useEffect(() => {
    if (Object.keys(places).length > 0) storePlaces(file, places);
  }, [places, file]);
  useEffect(() => storeGroups(file, groups), [groups, file]);

  const fit = useCallback(() => void flow.fitView({ padding: 0.06, duration: still() ? 0 : 200, maxZoom: 1.1, minZoom: 0.2 }), [flow]);
  // At first as much as can be read: all of a small graph, of a large one what stands around the output.
  const fitted = useRef(false);
  useEffect(() => {
    if (fitted.current || cards.length === 0) return;
    fitted.current = true;
    const output = cards.find((card) => card.data.output !== null);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const { width, height } = root.current!.getBoundingClientRect();
      void flow.fitView({ padding: 0.06, maxZoom: 1, minZoom: 0.2 }).then(() => {
        if (flow.getZoom() >= LEAST_READABLE || !output) return;
        const { x, y } = output.position;
        const zoom = LEAST_READABLE;
        void flow.setViewport({ x: width - (x + CARD_WIDTH + 24) * zoom, y: height / 2 - (y + 50) * zoom, zoom });
      });
    }));
  }, [cards, flow]);

  const tidy = useCallback(() => {
    if (!model) return;
    setPlaces(arrange(model));
    setTimeout(fit, 30);
  }, [model, fit]);

  useEffect(() => {
    const onTidy = () => tidy();
    const onFit = () => fit();
    window.addEventListener("orogen:tidy", onTidy);
    window.addEventListener("orogen:fit", onFit);
    return () => {
      window.removeEventListener("orogen:tidy", onTidy);
      window.removeEventListener("orogen:fit", onFit);
    };
  }, [tidy, fit]);

  const onNodesChange = useCallback((changes: NodeChange<AnyNode>[]) => {
    const own = changes.filter((c) => c.type !== "remove" && !("id" in c && c.id.startsWith("frame:"))) as NodeChange<CardNode>[];
    setCards((before) => applyNodeChanges(own, before));
    const moves = own.filter((c) => c.type === "position" && c.position && !c.dragging);
    const drags = own.filter((c) => c.type === "position" && c.position);
    if (moves.length > 0 || drags.length > 0) {
      setPlaces((before) => {
        const next = { ...before };
        for (const c of drags) if (c.type === "position" && c.position) next[c.id] = c.position;
        return next;
      });
    }
    const picks = own.filter((c) => c.type === "select");
    if (picks.length > 0) {
      const now = new Set(get().selection.map(keyOf));
      for (const c of picks) if (c.type === "select") c.selected ? now.add(c.id) : now.delete(c.id);
      const next = [...now].map(itemOf);
      if (next.map(keyOf).join() !== get().selection.map(keyOf).join()) select(next);
    }
  }, []);

  const wires = useMemo((): FlowEdge[] => (model?.wires ?? []).map((wire) => {
    const id = `${wire.to}/${wire.param}`;
    const kind = wireKind(wire.noise, wire.channels);
    const lit = selection.some((item) => keyOf(item) === wire.from || keyOf(item) === wire.to);
    return {
      id, source: wire.from, sourceHandle: wire.layer, target: wire.to, targetHandle: wire.param, selected: chosenWires.has(id),
      className: `wire ${kind}${lit ? " lit" : ""}`, interactionWidth: 14, ariaLabel: `${wire.layer} to ${wire.to}.${wire.param}`,
    };
  }), [model, selection, chosenWires]);

  const why = (c: Connection | FlowEdge) =>
    about && good && c.sourceHandle && c.targetHandle ? misfit(about, good, c.sourceHandle, itemOf(c.target), c.targetHandle) : "Nothing there.";

  const openPalette = (at: { x: number; y: number } | null, from: { layer: string; channels: number } | null = null, into: (Item & { param: string }) | null = null) =>
    update({ dialog: { kind: "palette", at, from, into } });

  /** Gives a new card the focus, and moves the view where the card is outside it. */
  const reveal = (item: Item, frames = 20) => {
    const id = keyOf(item);
    const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
    const card = flow.getInternalNode(id);
    const box = root.current?.getBoundingClientRect();
    if (!element || !card?.measured.width || !box) {
      // It is drawn with one of the next frames.
      if (frames > 0) requestAnimationFrame(() => reveal(item, frames - 1));
      return;
    }
    element.focus({ preventScroll: true });
    const { x, y } = card.internals.positionAbsolute;
    const [width, height] = [card.measured.width, card.measured.height ?? 0];
    const [least, most] = [flow.flowToScreenPosition({ x, y }), flow.flowToScreenPosition({ x: x + width, y: y + height })];
    if (least.x >= box.left && least.y >= box.top && most.x <= box.right && most.y <= box.bottom) return;
    void flow.setCenter(x + width / 2, y + height / 2, { zoom: flow.getZoom(), duration: still() ? 0 : 200 });
  };

  const putAt = (item: Item, at: { x: number; y: number }) => setPlaces((before) => ({ ...before, [keyOf(item)]: at }));
  const beside = (copy: Item, of: Item) => {
    const p = places[keyOf(of)] ?? { x: 0, y: 0 };
    putAt(copy, { x: p.x + 24, y: p.y + 124 });
  };

  const gone = () => {
    if (selection.length > 0) remove(selection);
    else disconnect([...chosenWires].map((id) => ({ to: itemOf(id.slice(0, id.lastIndexOf("/"))), param: id.slice(id.lastIndexOf("/") + 1) })));
  };

  const group = () => {
    if (selection.length === 0) {
      tell("Select nodes first, then add a frame around them.");
      return;
    }
    setGroups((before) => [...before, { id: String(Date.now()), title: "Group", members: selection.map(keyOf) }]);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.closest("input, select, textarea, .cm-editor, .sheet")) return;
    const focused = target.closest<HTMLElement>(".react-flow__node-card")?.dataset.id;
    const command = event.ctrlKey || event.metaKey;
    const act = (go: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      go();
    };
    if (command) {
      if (event.key === "d") act(() => duplicate(selection, beside));
      else if (event.key === "c") act(() => copyItems(selection));
      else if (event.key === "v") act(() => paste(beside));
      else if (event.key === "g") act(group);
      else if (event.key === "a") act(() => select(model?.cards.map((card) => card.item) ?? []));
      return;
    }
    if (event.altKey) return;
    if (event.key.startsWith("Arrow")) {
      const next = neighbour(places, focused ?? keyOf(selection[0] ?? model?.cards[0]?.item ?? { table: "node", name: "" }), event.key);
      if (next) act(() => focusCard(next));
    } else if (event.key === " " || (event.key === "Tab" && target === root.current && !target.matches(":focus-visible"))) act(() => openPalette(null));
    else if (event.key === "Enter" && focused) act(() => toParameters());
    else if (event.key === "F2" && selection.length > 0) act(() => update({ renaming: selection[selection.length - 1]! }));
    else if (event.key === "Delete" || event.key === "Backspace") act(gone);
    else if (event.key === "Escape" && selection.length > 0) act(() => select([]));
    else if (event.key === "l") act(tidy);
    else if (event.key === "f") act(fit);
    else if (event.key === "o" && selection.length > 0) act(() => setOutput(selection[selection.length - 1]!));
  };

  const onDoubleClick = (event: MouseEvent) => {
    if ((event.target as HTMLElement).closest(".react-flow__node, .react-flow__edge")) return;
    openPalette({ x: event.clientX, y: event.clientY });
  };

  return (
    <div
      className="graph" ref={root} tabIndex={0} role="group" aria-label="Graph. Space adds a node, arrow keys move between nodes, question mark lists all keys."
      onKeyDown={onKeyDown} onDoubleClick={onDoubleClick}
      onFocus={(event) => {
        const id = (event.target as HTMLElement).closest<HTMLElement>(".react-flow__node-card")?.dataset.id;
        if (id && (event.target as HTMLElement).matches(":focus-visible") && !selection.some((item) => keyOf(item) === id)) select([itemOf(id)]);
      }}
    >
      <FrameActions.Provider
        value={{
          title: (id, title) => setGroups((all) => all.map((g) => (g.id === id ? { ...g, title } : g))),
          drop: (id) => setGroups((all) => all.filter((g) => g.id !== id)),
        }}
      >
        <ReactFlow<AnyNode, FlowEdge>
          nodes={[...frameNodes(groups, model?.cards ?? [], places), ...cards]} edges={wires} nodeTypes={nodeTypes} colorMode={theme}
          onNodesChange={onNodesChange}
          onNodeClick={(event, node) => {
            // A plain click on one of several selected cards selects it alone.
            if (node.type === "card" && !event.shiftKey && !event.ctrlKey && !event.metaKey) select([itemOf(node.id)]);
          }}
          onEdgesChange={(changes) => {
            const next = new Set(chosenWires);
            for (const c of changes) if (c.type === "select") c.selected ? next.add(c.id) : next.delete(c.id);
            setChosenWires(next);
          }}
          onConnect={(c) => c.sourceHandle && c.targetHandle && connect(c.sourceHandle, itemOf(c.target), c.targetHandle)}
          isValidConnection={(c) => {
            refused.current = why(c);
            return refused.current === null;
          }}
          onConnectStart={() => (refused.current = null)}
          onConnectEnd={(event, state) => {
            if (state.isValid) return;
            if (state.toHandle) {
              if (refused.current) tell(refused.current, true);
              return;
            }
            const from = state.fromHandle;
            const at = "clientX" in event ? { x: event.clientX, y: event.clientY } : null;
            if (!from?.id || (event.target as HTMLElement).closest(".react-flow__node-card")) return;
            if (from.type === "source") openPalette(at, { layer: from.id, channels: 1 });
            else openPalette(at, null, { ...itemOf(from.nodeId), param: from.id });
          }}
          onReconnect={(old, c) => {
            if (c.target === old.target && c.targetHandle === old.targetHandle) {
              if (c.sourceHandle) connect(c.sourceHandle, itemOf(c.target), c.targetHandle!);
            } else if (c.sourceHandle && c.targetHandle) {
              disconnect([{ to: itemOf(old.target), param: old.targetHandle! }]);
              connect(c.sourceHandle, itemOf(c.target), c.targetHandle);
            }
          }}
          onReconnectEnd={(_, edge, __, state) => {
            if (!state.isValid && !state.toHandle) disconnect([{ to: itemOf(edge.target), param: edge.targetHandle! }]);
          }}
          deleteKeyCode={null} selectionKeyCode="Shift" multiSelectionKeyCode={["Shift", "Control", "Meta"]} zoomOnDoubleClick={false}
          disableKeyboardA11y minZoom={0.1} maxZoom={2} proOptions={{ hideAttribution: true }} elevateNodesOnSelect={false}
          onViewportChange={({ zoom }) => root.current?.classList.toggle("far", zoom < FAR)} autoPanOnConnect={false} connectionRadius={18} nodeDragThreshold={3} edgesFocusable={false}
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1} />
        </ReactFlow>
      </FrameActions.Provider>
      {dialog?.kind === "palette" && (
        <Palette
          dialog={dialog}
          choose={(table: Table, kind) => {
            const at = dialog.at;
            const source = dialog.from?.layer ?? (dialog.into ? null : lastLayer());
            const put = (item: Item) => at && putAt(item, flow.screenToFlowPosition({ x: at.x - 20, y: at.y - 20 }));
            void add(table, kind, source, dialog.into, put).then((item) => (item ? reveal(item) : root.current?.focus()));
          }}
        />
      )}
    </div>
  );
}

/** The input of a new node: the selected item. */
function lastLayer(): string | null {
  const { selection, good } = get();
  const last = selection[selection.length - 1];
  return (last && good?.layers.find((l) => l.table === last.table && l.name === last.name)?.layer) ?? null;
}

function focusCard(key: string): void {
  select([itemOf(key)]);
  document.querySelector<HTMLElement>(`.react-flow__node[data-id="${key}"]`)?.focus();
}

function toParameters(): void {
  update({ panel: "parameters" });
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".parameters input, .parameters select, .parameters button")?.focus());
}

function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
