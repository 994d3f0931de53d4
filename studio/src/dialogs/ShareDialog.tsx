// A link that contains the recipe. Any studio can open it.

import { useEffect, useState, type JSX } from "react";
import { copy } from "../look/download";
import { shareLink } from "../share";
import { get } from "../state/store";
import { Dialog } from "./Dialog";

export function ShareDialog(): JSX.Element {
  const [link, setLink] = useState("");
  useEffect(() => void shareLink(get().text).then(setLink), []);
  return (
    <Dialog title="Share">
      <p>This link contains the whole recipe, after the #. Nothing is uploaded. A studio running at this address opens it as unsaved work.</p>
      <textarea className="sharelink" readOnly rows={4} value={link} aria-label="Link" onFocus={(event) => event.target.select()} />
      <footer>
        <span className="dim">{link.length.toLocaleString("en")} characters</span>
        <span className="gap" />
        <button type="button" className="main" onClick={() => void copy(link, "The link")}>Copy</button>
      </footer>
    </Dialog>
  );
}
