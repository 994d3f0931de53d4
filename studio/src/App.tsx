// The page: graph and text on the left, what is selected below them, the picture on the right.

import { useEffect, type CSSProperties, type JSX } from "react";
import { BakeDialog } from "./dialogs/BakeDialog";
import { ConflictDialog } from "./dialogs/ConflictDialog";
import { ExportDialog } from "./dialogs/ExportDialog";
import { HelpDialog } from "./dialogs/HelpDialog";
import { ShareDialog } from "./dialogs/ShareDialog";
import { VariationsDialog } from "./dialogs/VariationsDialog";
import { Graph } from "./graph/Graph";
import { Splitter, useSize } from "./look/Splitter";
import { Picture } from "./map/Picture";
import { History } from "./panel/History";
import { Parameters } from "./panel/Parameters";
import { PlaceRules } from "./panel/PlaceRules";
import { Statistics } from "./panel/Statistics";
import { Relief } from "./relief/Relief";
import { dropDraft, takeDraft } from "./state/document";
import { update, useStore, type State } from "./state/store";
import { TextEditor } from "./text/TextEditor";
import { Toolbar } from "./Toolbar";
import { useKeys } from "./keys";
import { transport } from "./transport";

const PANELS: [State["panel"], string][] = [["parameters", "Parameters"], ["statistics", "Statistics"], ["history", "History"], ["places", "Places"]];

export function App(): JSX.Element {
  const left = useStore((s) => s.left);
  const panel = useStore((s) => s.panel);
  const loadError = useStore((s) => s.loadError);
  const draft = useStore((s) => s.draft);
  const stale = useStore((s) => s.stale);
  const file = useStore((s) => s.file.name);
  const [across, setAcross] = useSize("orogen-across", 44);
  const [down, setDown] = useSize("orogen-down", 56);
  useKeys();
  useTitle();
  if (loadError) {
    return (
      <main className="refused">
        <h1>The studio cannot be opened</h1>
        <p>{loadError}</p>
        {transport().served && <p>Open the address that <code>orogen serve</code> printed when it started: it holds a token that this page needs.</p>}
      </main>
    );
  }
  return (
    <div className="app">
      <Toolbar />
      {stale && (
        <div className="offer" role="alert">
          <span>
            The server was started anew, and its address has a new token: open the address that <code>orogen serve</code> has printed now.
            Unsaved work is kept in this browser and is offered there.
          </span>
        </div>
      )}
      {draft !== null && (
        <div className="offer" role="alert">
          <span>There is unsaved work on this recipe from an earlier session.</span>
          <button type="button" className="main" onClick={takeDraft}>Take it up</button>
          <button type="button" onClick={dropDraft}>Drop it</button>
        </div>
      )}
      <main className={`work at-${left}`} style={{ "--across": `${across}%`, "--down": `${down}%` } as CSSProperties}>
        <section className="left" aria-label="Recipe">
          <div className="top">
            <div className="tabs" role="tablist" aria-label="Recipe as">
              <Tab id="graph" label="Graph" on={left !== "text" && left !== "panel"} act={() => update({ left: "graph" })} />
              <Tab id="text" label="Text" on={left === "text"} act={() => update({ left: "text" })} />
              <Tab id="panel" label="Parameters" on={left === "panel"} act={() => update({ left: "panel" })} />
            </div>
            <div className="tabbody" role="tabpanel" aria-labelledby={`tab-${left === "text" ? "text" : "graph"}`}>
              {/* Places and frames are kept for each file: with another name it is another graph. */}
              <div className="pane" hidden={left === "text"}><Graph key={file} /></div>
              {left === "text" && <div className="pane"><TextEditor /></div>}
            </div>
          </div>
          <Splitter label="Between graph and parameters" upright={false} at={down} move={setDown} />
          <section className="panel" aria-label="Panel">
            <div className="tabs" role="tablist" aria-label="Panel">
              {PANELS.map(([id, label]) => <Tab key={id} id={`panel-${id}`} label={label} on={panel === id} act={() => update({ panel: id })} />)}
            </div>
            <div className="panelbody" role="tabpanel" aria-labelledby={`tab-panel-${panel}`} tabIndex={0}>
              {panel === "parameters" ? <Parameters /> : panel === "statistics" ? <Statistics /> : panel === "history" ? <History /> : <PlaceRules />}
            </div>
          </section>
        </section>
        <Splitter label="Between recipe and picture" upright at={across} move={setAcross} />
        <Picture inDepth={<Relief />} />
      </main>
      <Dialogs />
      <Toasts />
    </div>
  );
}

function Tab({ id, label, on, act }: { id: string; label: string; on: boolean; act: () => void }): JSX.Element {
  return <button type="button" role="tab" id={`tab-${id}`} className={`tab tab-${id}`} aria-selected={on} onClick={act}>{label}</button>;
}

function Dialogs(): JSX.Element | null {
  const dialog = useStore((s) => s.dialog);
  switch (dialog?.kind) {
    case "bake": return <BakeDialog />;
    case "export": return <ExportDialog />;
    case "help": return <HelpDialog />;
    case "share": return <ShareDialog />;
    case "variations": return <VariationsDialog of={dialog.of} />;
    case "conflict": return <ConflictDialog theirs={dialog.theirs} saved={dialog.saved} />;
    default: return null;
  }
}

function Toasts(): JSX.Element {
  const toasts = useStore((s) => s.toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((t) => <p key={t.key} className={t.bad ? "bad" : ""}>{t.text}</p>)}
    </div>
  );
}

function useTitle(): void {
  const name = useStore((s) => s.file.name);
  const changed = useStore((s) => s.text !== s.file.text);
  useEffect(() => {
    document.title = `${changed ? "• " : ""}${name?.split("/").pop() ?? "untitled"} – Orogen`;
  }, [name, changed]);
}
