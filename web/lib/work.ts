import { Engine, Noise, Pipeline } from "./index.js";
import { init } from "./load.js";
import type { Portable } from "./portable.js";
import { keyOf, Latest, type Reply, type Request, type Task } from "./remote.js";

const latest = new Latest<Noise | Pipeline>();

function computed(task: Task, files: Portable["files"] | undefined): unknown {
  const read = () => (task.what === "layers" ? Pipeline : Noise).parse(task.json, files);
  const found = latest.take(keyOf(task), read);
  if (task.what === "layers") return Engine.shared().layers(found as Pipeline, task.outputs, task.region);
  const noise = found as Noise;
  return task.gradient ? noise.fieldWithGradient(task.region) : noise.field(task.region);
}

/** The buffers of a result, which move to the page without a copy. */
function buffers(result: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  return typeof result === "object" && result !== null ? Object.values(result).flatMap(buffers) : [];
}

/** Answers a request; `reply` sends the answer. */
export async function work({ id, task, files, module }: Request, reply: (reply: Reply, moved: ArrayBuffer[]) => void): Promise<void> {
  try {
    if (module) await init({ module });
    const result = computed(task, files);
    reply({ id, result }, buffers(result));
  } catch (error) {
    // The pool sends its files again.
    latest.drop(keyOf(task));
    reply({ id, error: error instanceof Error ? error.message : String(error) }, []);
  }
}
