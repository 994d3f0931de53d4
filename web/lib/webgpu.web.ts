import "./platform.web.js";

export * from "./webgpu.js";
