// A notebook: cells of code, each of which returns a value that the cells below read by its name. A cell becomes a module of its own,
// so nothing is passed to `eval`, and a page may forbid it.

import * as orogen from "orogen";

/** Functions for the code of cells, besides those of the engine. */
const tools = {
  /** A slider; cells below read its number. */
  slider(min, max, step, value) {
    return Object.assign(document.createElement("input"), { type: "range", min, max, step, value });
  },

  /** A picture of values in grey: black at the low end of a range, white at the high end. */
  picture(values, width, [low, high]) {
    const canvas = Object.assign(document.createElement("canvas"), { width, height: values.length / width });
    const image = new ImageData(width, canvas.height);
    image.data.fill(255);
    values.forEach((value, i) => image.data.fill((255 * (value - low)) / (high - low), 4 * i, 4 * i + 3));
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  },
};

const cells = [...document.querySelectorAll("section")].map((section) => ({
  name: section.dataset.name,
  code: section.querySelector("textarea"),
  output: section.appendChild(document.createElement("output")),
  /** The value that it returned. */
  value: undefined,
}));

/** The function of a cell's code, whose parameters are all names that it may read. */
async function compiled(code, names) {
  const source = `export default async ({ ${names.join(", ")} }) => {\n${code}\n};`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function show(output, value) {
  output.classList.remove("failed");
  output.replaceChildren(value instanceof Node ? value : typeof value === "string" ? value : (JSON.stringify(value) ?? "no value"));
}

/** Runs a cell and those below it. A run that begins later ends an earlier one. */
let runs = 0;
async function run(first) {
  const own = ++runs;
  document.body.dataset.complete = "false";
  const known = { ...orogen, ...tools };
  for (const [i, cell] of cells.entries()) {
    if (i >= first) {
      try {
        const value = await (await compiled(cell.code.value, Object.keys(known)))(known);
        if (own !== runs) return;
        cell.value = value;
        // A noise is for the cells below.
        show(cell.output, value instanceof orogen.Noise ? "a noise" : value);
        if (value instanceof HTMLInputElement) value.addEventListener("input", () => run(i + 1));
      } catch (error) {
        if (own !== runs) return;
        cell.output.classList.add("failed");
        cell.output.replaceChildren(String(error));
        cells.slice(i + 1).forEach(({ output }) => show(output, `waits for ${cell.name}`));
        break;
      }
    }
    known[cell.name] = cell.value instanceof HTMLInputElement ? cell.value.valueAsNumber : cell.value;
  }
  document.body.dataset.complete = "true";
}

for (const [i, { code }] of cells.entries()) {
  code.rows = code.value.split("\n").length;
  let pause;
  code.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(run, 300, i);
  });
}
await orogen.init();
run(0);
