import "./platform.node.js";
import "./source.core.js";

export * from "./core.js";
