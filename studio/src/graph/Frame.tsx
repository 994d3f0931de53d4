// The frame around a group: its title can be written over, its cross takes it away.

import type { NodeProps } from "@xyflow/react";
import { createContext, useContext, type JSX } from "react";
import { Icon } from "../look/icons";
import type { FrameNode } from "./frames";

export const FrameActions = createContext<{ title: (id: string, title: string) => void; drop: (id: string) => void }>({
  title: () => {}, drop: () => {},
});

export function Frame({ data }: NodeProps<FrameNode>): JSX.Element {
  const actions = useContext(FrameActions);
  return (
    <div className="frame">
      <input
        className="nodrag" aria-label="Title of the group" defaultValue={data.title} onBlur={(event) => actions.title(data.id, event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <button type="button" className="nodrag" title="Remove the frame" aria-label="Remove the frame" onClick={() => actions.drop(data.id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
