import { parentPort } from "node:worker_threads";
import "./source.full.js";
import { work } from "./work.js";

parentPort?.on("message", (request) => void work(request, (reply, moved) => parentPort?.postMessage(reply, moved)));
