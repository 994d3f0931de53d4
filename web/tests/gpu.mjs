// Headless Chromium with WebGPU by SwiftShader, a software GPU.

import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../studio/package.json", import.meta.url))("playwright-core");

/** WebGPU is for secure contexts: http://localhost is one. */
export const withGpu = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless", "--no-sandbox", "--disable-gpu-watchdog", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader", "--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-gpu", "--enable-features=Vulkan",
      "--use-vulkan=swiftshader",
    ],
  });
