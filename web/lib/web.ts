import "./platform.web.js";
import "./source.full.js";

export * from "./index.js";
