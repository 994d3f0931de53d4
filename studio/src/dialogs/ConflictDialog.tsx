// The file is not what it was when this page last read it. Nothing is written over without a word.

import { Fragment, useState, type JSX } from "react";
import { keepMine, leaveBoth, takeTheirs } from "../state/document";
import { useStore } from "../state/store";
import { Dialog } from "./Dialog";
import { differences } from "./lines";

export function ConflictDialog({ theirs, saved }: { theirs: string; saved: string | null }): JSX.Element {
  const mine = useStore((s) => s.text);
  const name = useStore((s) => s.file.name);
  const [both, setBoth] = useState(false);
  return (
    <Dialog title="The file was changed elsewhere" wide={both}>
      <p><code>{name}</code> has another text now than when this page read it, and this page has changes of its own.</p>
      {both && (
        <div className="both">
          {(["mine", "theirs"] as const).map((side) => (
            <figure key={side}>
              <figcaption>{side === "mine" ? "Mine, in this page" : "Theirs, in the file"}</figcaption>
              <pre className="code" tabIndex={0}>
                {differences(mine, theirs)[side].map((line, i) => <Fragment key={i}><span className={line.other ? "other" : ""}>{line.text}</span>{"\n"}</Fragment>)}
              </pre>
            </figure>
          ))}
        </div>
      )}
      <footer>
        {!both && <button type="button" onClick={() => setBoth(true)}>See both</button>}
        <span className="gap" />
        <button type="button" onClick={() => leaveBoth(theirs, saved)} title="Saving later replaces the file's text">Decide later</button>
        <button type="button" onClick={() => takeTheirs(theirs, saved)}>Take theirs</button>
        <button type="button" className="main" onClick={() => void keepMine(saved)}>Keep mine</button>
      </footer>
    </Dialog>
  );
}
