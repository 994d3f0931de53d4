import "./platform.node.js";

export * from "./index.js";
