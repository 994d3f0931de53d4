"use strict";
// Shows the pyramid that lies beside this page: heights as a landscape, coloured and shaded by the viewer itself, and further layers as they are.

const here = (name) => new URL(name, location.href).href;
const byId = (id) => document.getElementById(id);

function complain(message) {
  byId("problem").textContent = message;
  byId("problem").hidden = false;
}

async function read(name) {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer.json();
}

/** A source of a TileJSON, with addresses in full. */
function source(json, type) {
  const { minzoom, maxzoom, bounds, tileSize, encoding } = json;
  // The template's braces stay as they are.
  const tiles = json.tiles.map((address) => here(".") + address);
  return { type, tiles, minzoom, maxzoom, bounds, tileSize, ...(encoding && { encoding }) };
}

const TINTS = ["#2f6b4f", "#6f9a5b", "#b9b777", "#a98a62", "#8b7566", "#f4f4f2"];

/** Colours from the lowest height to the highest; what lies below 0, where there is both, is blue. */
function tints([low, high]) {
  const ramp = ["interpolate", ["linear"], ["elevation"]];
  const sea = low < 0 && high > 0;
  if (sea) ramp.push(low, "#12395c", low * 1e-3, "#6aa9c9");
  const from = sea ? 0 : low;
  const span = Math.max(high - from, 1e-3);
  TINTS.forEach((colour, i) => ramp.push(from + (span * i) / (TINTS.length - 1), colour));
  return ramp;
}

async function start() {
  const heights = await read("tiles.json");
  const { range, stretch, layers } = heights.orogen;
  const others = await Promise.all(layers.map(read));
  const name = (i) => layers[i].replace(/^tiles\./, "").replace(/\.json$/, "");
  const dem = source(heights, "raster-dem");
  const sources = { ground: dem, shade: dem };
  const style = { version: 8, sources, layers: [{ id: "paper", type: "background", paint: { "background-color": "#dfe5e2" } }] };
  style.layers.push({ id: "tints", type: "color-relief", source: "shade", paint: { "color-relief-color": tints(range) } });
  others.forEach((json, i) => {
    sources[`layer${i}`] = source(json, "raster");
    style.layers.push({ id: `layer${i}`, type: "raster", source: `layer${i}`, layout: { visibility: "none" }, paint: { "raster-fade-duration": 0 } });
  });
  const [west, south, east, north] = heights.bounds;
  // A world of which a fifth of the width is height looks like a landscape; one that is steeper is flattened at first.
  const width = ((east - west) / 360) * 40075016.7;
  const times = Math.min(1, (0.2 * width) / Math.max((range[1] - range[0]) * stretch, 1e-9));
  // Shadows are those of the landscape as it is shown at first.
  const paint = {
    "hillshade-exaggeration": 0.6 * Math.sqrt(times), "hillshade-shadow-color": "rgba(22, 28, 40, 0.85)", "hillshade-highlight-color": "rgba(255, 255, 255, 0.45)",
    "hillshade-accent-color": "rgba(22, 28, 40, 0.4)",
  };
  style.layers.push({ id: "shading", type: "hillshade", source: "shade", paint });
  // Around the world the tiles hold a plain, which is paper.
  const far = 4 * Math.max(east - west, north - south);
  const ring = (by) => [[west - by, south - by], [east + by, south - by], [east + by, north + by], [west - by, north + by], [west - by, south - by]];
  sources.around = { type: "geojson", data: { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring(far), ring(0)] } } };
  style.layers.push({ id: "around", type: "fill", source: "around", paint: { "fill-color": "#dfe5e2", "fill-antialias": false } });
  const map = new maplibregl.Map({
    container: "map", style, bounds: [[west, south], [east, north]], fitBoundsOptions: { padding: 24, pitch: 50, bearing: -20 },
    maxPitch: 80, maxZoom: heights.maxzoom + 4, minZoom: Math.max(0, heights.minzoom - 2), attributionControl: false,
    renderWorldCopies: false,
  });
  map.addControl(new maplibregl.NavigationControl({ visualizePitch: true }), "top-right");
  map.addControl(new maplibregl.AttributionControl({ compact: true, customAttribution: "MapLibre" }));
  map.on("error", (event) => complain(event.error?.message ?? "a tile could not be read"));

  byId("name").textContent = document.title = heights.name;
  byId("figures").textContent =
    `${range[0].toFixed(1)} to ${range[1].toFixed(1)} m, zooms ${heights.minzoom} to ${heights.maxzoom}; appears ${stretch.toFixed(2)} times as large as it is`;
  const choice = byId("layer");
  choice.append(new Option("Heights", "tints"), ...others.map((_, i) => new Option(name(i), `layer${i}`)));
  choice.addEventListener("change", () => {
    for (const { value } of choice.options) map.setLayoutProperty(value, "visibility", value === choice.value ? "visible" : "none");
    // What is drawn shaded already is not shaded once more.
    const drawn = choice.selectedOptions[0].text === "relief";
    map.setLayoutProperty("shading", "visibility", drawn ? "none" : "visible");
  });
  byId("relief").value = Math.max(0.05, times).toFixed(2);
  const ground = () => {
    const times = Number(byId("relief").value);
    byId("times").textContent = `×${times}`;
    // The world appears larger than it is, so its heights do as well.
    map.setTerrain(byId("ground").checked ? { source: "ground", exaggeration: times * stretch } : null);
  };
  byId("relief").addEventListener("input", ground);
  byId("ground").addEventListener("change", () => {
    ground();
    map.easeTo({ pitch: byId("ground").checked ? 50 : 0, duration: 300 });
  });
  byId("panel").addEventListener("submit", (event) => event.preventDefault());
  map.on("load", ground);
  // For those who look at it with a program.
  window.viewer = map;
}

start().catch((error) => {
  const local = location.protocol === "file:";
  complain(local ? "Pages from a disk may not read files beside them: serve this folder, as by python3 -m http.server." : String(error.message ?? error));
});
