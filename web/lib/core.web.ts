import "./platform.web.js";
import "./source.core.js";

export * from "./core.js";
