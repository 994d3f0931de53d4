import "./platform.web.js";

export * from "./export.js";
