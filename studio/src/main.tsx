import "@xyflow/react/dist/style.css";
import "./look/style.css";
import "./look/graph.css";
import "./look/picture.css";
import "./look/panel.css";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { connect } from "./state/live";
import { load } from "./state/document";
import { setTheme } from "./Toolbar";

setTheme(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
createRoot(document.getElementById("root")!).render(<App />);
void load().then(connect);
