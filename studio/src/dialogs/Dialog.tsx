// The frame of all dialogs: the browser's own, which keeps the focus inside and closes with Escape.

import { useEffect, useRef, type JSX, type ReactNode } from "react";
import { Icon } from "../look/icons";
import { update } from "../state/store";

export function Dialog({ title, wide, children }: { title: string; wide?: boolean; children: ReactNode }): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    element.current!.showModal();
    return () => before?.focus?.();
  }, []);
  const close = () => update({ dialog: null });
  return (
    <dialog
      ref={element} className={wide ? "wide" : ""} aria-label={title} onClose={close}
      onPointerDown={(event) => event.target === event.currentTarget && close()} onKeyDown={(event) => event.stopPropagation()}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" className="tool" aria-label="Close" onClick={close}><Icon name="close" /></button>
      </header>
      <div className="content">{children}</div>
    </dialog>
  );
}
