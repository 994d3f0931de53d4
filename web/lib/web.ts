import "./platform.web.js";

export * from "./index.js";
