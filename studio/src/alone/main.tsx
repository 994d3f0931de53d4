import { start } from "../start";
import { alone } from "./alone";

start(alone);

// Another recipe in the address is another document.
addEventListener("hashchange", () => location.reload());

// Offline, the page comes from the worker's cache. Without one (an address that is not secure), it needs the network.
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("../offline.js", { scope: "../" }).catch(() => {});
