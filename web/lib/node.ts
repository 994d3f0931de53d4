import "./platform.node.js";
import "./source.full.js";

export * from "./index.js";
