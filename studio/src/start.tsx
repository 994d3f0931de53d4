import "@xyflow/react/dist/style.css";
import "./look/style.css";
import "./look/graph.css";
import "./look/picture.css";
import "./look/panel.css";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { connect } from "./state/live";
import { load, recall } from "./state/document";
import { setTheme } from "./Toolbar";
import { useTransport, type Transport } from "./transport";

/** Shows the page. */
export function start(transport: Transport): void {
  useTransport(transport);
  const chosen = recall("orogen-theme");
  setTheme(chosen === "light" || chosen === "dark" ? chosen : matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark", false);
  createRoot(document.getElementById("root")!).render(<App />);
  void load().then(connect);
}
