// The recipe as text. Typed text updates the state; other changes of the state are applied to the text as the smallest change.

import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef, type JSX } from "react";
import { redo, setText, undo } from "../state/actions";
import { get, subscribe, useStore } from "../state/store";
import { colours, look } from "./theme";

const fromState = Annotation.define<boolean>();

export function TextEditor(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const fault = useStore((s) => s.fault);

  useEffect(() => {
    const made = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: get().text,
        extensions: [
          lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), highlightSelectionMatches(), lintGutter(),
          search({ top: true }), indentUnit.of("    "), StreamLanguage.define(toml), syntaxHighlighting(colours), look,
          EditorView.contentAttributes.of({ "aria-label": "The recipe as TOML" }),
          keymap.of([
            // The page's own history holds edits of the graph too.
            { key: "Mod-z", run: () => (undo(), true), shift: () => (redo(), true) },
            { key: "Mod-y", run: () => (redo(), true) },
            ...searchKeymap, ...defaultKeymap, indentWithTab,
          ]),
          EditorView.updateListener.of((change) => {
            if (change.docChanged && !change.transactions.some((t) => t.annotation(fromState))) {
              setText(change.state.doc.toString(), "typed", "typing");
            }
          }),
        ],
      }),
    });
    view.current = made;
    const stop = subscribe(() => bring(made, get().text));
    return () => {
      stop();
      made.destroy();
      view.current = null;
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const line = fault?.line ? doc.line(Math.min(doc.lines, fault.line)) : null;
    const from = line ? Math.min(line.to, line.from + Math.max(0, (fault!.column ?? 1) - 1)) : 0;
    editor.dispatch(setDiagnostics(editor.state, fault ? [{ from, to: line?.to ?? 0, severity: "error", message: fault.message }] : []));
  }, [fault]);

  return (
    <div className="text">
      <div className="editor" ref={box} />
      {fault && (
        <p className="fault" role="alert">
          {fault.line !== null && <button type="button" className="link" onClick={() => view.current && goTo(view.current, fault.line!)}>Line {fault.line}</button>}
          {fault.message}
        </p>
      )}
    </div>
  );
}

function bring(editor: EditorView, text: string): void {
  const old = editor.state.doc.toString();
  if (old === text) return;
  let from = 0;
  const least = Math.min(old.length, text.length);
  while (from < least && old[from] === text[from]) from++;
  let tail = 0;
  while (tail < least - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  editor.dispatch({ changes: { from, to: old.length - tail, insert: text.slice(from, text.length - tail) }, annotations: fromState.of(true) });
}

function goTo(editor: EditorView, line: number): void {
  const { from } = editor.state.doc.line(Math.min(editor.state.doc.lines, line));
  editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  editor.focus();
}
