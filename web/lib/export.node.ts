import "./platform.node.js";

export * from "./export.js";
