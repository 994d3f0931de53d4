// Statistics of the visible middle of the picture: distribution, spectrum, directions, and the cost of nodes.

import { useEffect, useState, type JSX } from "react";
import type { Measured } from "../protocol";
import { number } from "../map/overlay";
import { whenRested } from "../map/rested";
import { thePainter } from "../map/shared";
import { layerToShow } from "../map/source";
import { aborted, faultOf, measure } from "../server";
import { useStore } from "../state/store";
import { Directions, Histogram, Spectrum } from "./plots";

export function Statistics(): JSX.Element {
  const [measured, setMeasured] = useState<Measured | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const layer = useStore(layerToShow);
  useEffect(() => whenRested(() => (thePainter()?.settled ? thePainter() : null), 250, (window, signal) => {
    measure(window, signal).then(
      (m) => {
        setMeasured(m);
        setProblem(null);
      },
      (error: unknown) => {
        if (aborted(error)) return;
        setMeasured(null);
        setProblem(faultOf(error).message);
      },
    );
  }), [layer]);

  return (
    <div className="statistics">
      {problem && <p className="fault" role="alert">{problem}</p>}
      {!measured && !problem && <p className="empty">Measuring…</p>}
      {measured && (
        <>
          <dl className="figures">
            <Figure name="mean" value={number(measured.mean, 4)} />
            <Figure name="deviation" value={number(measured.deviation, 4)} />
            <Figure name="measured" value={`${number(measured.extent[0], 4)} … ${number(measured.extent[1], 4)}`} />
            {measured.proven && <Figure name="proven" value={`${number(measured.proven[0], 4)} … ${number(measured.proven[1], 4)}`} />}
            {measured.spectrum.exponent !== null && <Figure name="spectrum falls as" value={`f^${measured.spectrum.exponent.toFixed(2)}`} />}
            {measured.directions && (
              <Figure name="directions differ by" value={`${percent(measured.directions.deviation)}, chance ${percent(measured.directions.chance)}`} />
            )}
            <Figure name="time a sample" value={`${number((measured.milliseconds * 1e6) / measured.samples, 3)} ns`} />
          </dl>
          <div className="plots">
            <figure><figcaption>Values</figcaption><Histogram measured={measured} /></figure>
            <figure><figcaption>Power by frequency</figcaption><Spectrum measured={measured} /></figure>
            {measured.directions && <figure><figcaption>Power by direction</figcaption><Directions sectors={measured.directions.sectors} /></figure>}
            <figure><figcaption>Evaluations per sample</figcaption><Costs /></figure>
          </div>
        </>
      )}
    </div>
  );
}

function percent(share: number): string {
  return `${number(100 * share, 2)} %`;
}

function Figure({ name, value }: { name: string; value: string }): JSX.Element {
  return <div><dt>{name}</dt><dd>{value}</dd></div>;
}

function Costs(): JSX.Element {
  const layers = useStore((s) => s.good?.layers);
  const seen = new Map<string, number>();
  for (const l of layers ?? []) {
    if (l.cost !== null) seen.set(l.name, Math.max(seen.get(l.name) ?? 0, l.cost));
  }
  const list = [...seen].sort((a, b) => b[1] - a[1]).slice(0, 9);
  const most = list[0]?.[1] || 1;
  return (
    <ul className="costs">
      {list.map(([name, cost]) => (
        <li key={name}><span>{name}</span><i style={{ width: `${(60 * cost) / most}%` }} /><b>{number(cost, 3)}</b></li>
      ))}
    </ul>
  );
}
