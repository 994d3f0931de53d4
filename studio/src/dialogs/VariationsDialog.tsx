// Nine worlds of the same kind next to each other: the recipe with other seeds, or with other values of one seed.

import { useEffect, useRef, useState, type JSX } from "react";
import type { Edit } from "../protocol";
import { sourceFor } from "../map/source";
import { Icon } from "../look/icons";
import { aborted, edit, faultOf, layers } from "../server";
import { extent, scaleOf, shade } from "../map/shade";
import { seedOf, stepped, written } from "../panel/seed";
import { change } from "../state/actions";
import { rowOf } from "../state/recipe";
import { firstStyle, resolved } from "../state/style";
import { get, update, type Item } from "../state/store";
import { Dialog } from "./Dialog";

const COUNT = 9;
/** Pixels along each edge of a picture. */
const SIZE = 168;
/** The coarsest level of pictures of stages. */
const COARSEST = 6;

interface Shown { by: number; image: ImageData | null; problem: string | null }

/** The edits that make a variation: of one seed, or of all. */
function editsOf(of: (Item & { param: string }) | null, by: number): Edit[] {
  if (!of) return [{ op: "vary", by }];
  const old = seedOf(String(rowOf(get().good?.recipe, of)?.[of.param] ?? 0)) ?? 0n;
  const { table, name, param } = of;
  return [{ op: "set", table, name, param, value: written(stepped(old, BigInt(by))) }];
}

/** The picture of a layer over the whole world of a text after these edits. */
async function picture(text: string, edits: Edit[], layer: string, signal: AbortSignal): Promise<ImageData> {
  const { about, style } = get();
  const { checked } = await edit(text, edits, true);
  if (!checked.ok) throw new Error(checked.error.message);
  const source = about && sourceFor(about, checked, layer, null);
  if (!source) throw new Error(`${layer} is missing`);
  const size = checked.recipe.bake.tiles.map((n) => n * checked.recipe.bake.tile) as [number, number];
  const level = Math.max(0, Math.min(source.noise ? 30 : COARSEST, Math.ceil(Math.log2(Math.max(...size) / SIZE))));
  // A world that is larger even at the coarsest level shows its middle.
  const [width, height] = size.map((n) => Math.max(1, Math.min(SIZE, Math.floor(n / 2 ** level)))) as [number, number];
  const corner = size.map((n, axis) => BigInt(Math.max(0, Math.round(n / 2 ** level / 2 - [width, height][axis]! / 2))));
  const [samples] = await layers([layer], {
    id: source.id, x: corner[0]! - 1n, y: corner[1]! - 1n, width: width + 2, height: height + 2, z: source.z,
    spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
  }, signal);
  const step = source.spacing * 2 ** level;
  const seen = extent(samples!, step);
  return shade(samples!, step, resolved({ ...firstStyle, ramp: style.ramp }, source.mask), seen && !source.mask ? scaleOf(seen) : { lo: 0, hi: 1, lift: 1, interval: 1 });
}

export function VariationsDialog({ of }: { of: (Item & { param: string }) | null }): JSX.Element {
  const [first, setFirst] = useState(1);
  const [shown, setShown] = useState<Shown[]>([]);
  const layer = get().good?.recipe.output ?? "";
  useEffect(() => {
    const flight = new AbortController();
    const list = Array.from({ length: COUNT }, (_, k): Shown => ({ by: first + k, image: null, problem: null }));
    setShown(list);
    void (async () => {
      for (const { by } of list) {
        let found: Partial<Shown>;
        try {
          found = { image: await picture(get().text, editsOf(of, by), layer, flight.signal) };
        } catch (error) {
          if (aborted(error)) return;
          found = { problem: faultOf(error).message };
        }
        setShown((before) => before.map((one) => (one.by === by ? { ...one, ...found } : one)));
      }
    })();
    return () => flight.abort();
  }, [first, of, layer]);
  const choose = (by: number) => {
    update({ dialog: null });
    void change(editsOf(of, by), of ? `${of.name}.${of.param}` : `variation ${by}`);
  };
  return (
    <Dialog title={of ? `Other values of ${of.name}.${of.param}` : "Variations"} wide>
      <p className="dim">
        {of ? "Each picture has another seed here." : <>Each picture has other seeds everywhere, as with <code>--variation</code>.</>} A click takes it; undo brings the old one back.
      </p>
      <div className="variations">
        {shown.map((one) => (
          <button key={one.by} type="button" onClick={() => choose(one.by)} aria-label={of ? `Seed plus ${one.by}` : `Variation ${one.by}`} title={one.problem ?? undefined}>
            {one.image ? <Drawn image={one.image} /> : <span className="wait">{one.problem ?? "computing…"}</span>}
            <small>{of ? `+ ${one.by}` : one.by}</small>
          </button>
        ))}
      </div>
      <footer>
        <button type="button" disabled={first === 1} onClick={() => setFirst(first - COUNT)}>Back</button>
        <span className="gap" />
        <button type="button" onClick={() => setFirst(first + COUNT)}><Icon name="dice" /> Nine others</button>
      </footer>
    </Dialog>
  );
}

function Drawn({ image }: { image: ImageData }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => canvas.current?.getContext("2d")?.putImageData(image, 0, 0), [image]);
  return <canvas ref={canvas} width={image.width} height={image.height} data-drawn="true" aria-hidden="true" />;
}
