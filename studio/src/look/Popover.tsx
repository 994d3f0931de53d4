// A button that opens a small panel; Escape or a click elsewhere closes it.

import { useEffect, useId, useRef, useState, type JSX, type ReactNode } from "react";
import { Icon, type IconName } from "./icons";

interface Props { label: string; icon: IconName; text?: string; active?: boolean; align?: "left" | "right"; children: ReactNode }

export function Popover({ label, icon, text, active, align = "left", children }: Props): JSX.Element {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const away = (event: PointerEvent) => {
      if (!root.current!.contains(event.target as Node)) setOpen(false);
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      root.current!.querySelector("button")!.focus();
    };
    document.addEventListener("pointerdown", away, true);
    root.current!.addEventListener("keydown", key);
    const element = root.current!;
    return () => {
      document.removeEventListener("pointerdown", away, true);
      element.removeEventListener("keydown", key);
    };
  }, [open]);
  return (
    <div className="popover" ref={root}>
      <button
        type="button" className={active ? "tool on" : "tool"} aria-expanded={open} aria-controls={id} title={label} aria-label={label}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {text && <span>{text}</span>}
      </button>
      {open && <div id={id} className={`sheet to-${align}`} role="group" aria-label={label}>{children}</div>}
    </div>
  );
}
