import { Engine, Noise, Pipeline } from "./index.js";
import { init } from "./load.js";
import type { Reply, Request, Task } from "./remote.js";

// The latest descriptions, since a page asks for many regions of few.
const MOST = 8;

function kept<T>(all: Map<string, T>, text: string, read: (text: string) => T): T {
  const found = all.get(text) ?? read(text);
  all.delete(text);
  all.set(text, found);
  const [oldest] = all.keys();
  if (all.size > MOST && oldest !== undefined) all.delete(oldest);
  return found;
}

const noises = new Map<string, Noise>();
const pipelines = new Map<string, Pipeline>();

function computed(task: Task): unknown {
  if (task.what === "layers") {
    return Engine.shared().layers(kept(pipelines, task.pipeline, Pipeline.parse), task.outputs, task.region);
  }
  const noise = kept(noises, task.noise, Noise.parse);
  return task.gradient ? noise.fieldWithGradient(task.region) : noise.field(task.region);
}

/** The buffers of a result, which move to the page without a copy. */
function buffers(result: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  return typeof result === "object" && result !== null ? Object.values(result).flatMap(buffers) : [];
}

/** Answers a request; `reply` sends the answer. */
export async function work({ id, task, module }: Request, reply: (reply: Reply, moved: ArrayBuffer[]) => void): Promise<void> {
  try {
    if (module) await init({ module });
    const result = computed(task);
    reply({ id, result }, buffers(result));
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) }, []);
  }
}
