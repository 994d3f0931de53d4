// The licences of the packages in a bundle.

import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The notices of all packages that went into the bundles, in order of their names. */
export async function licences(metafiles) {
  const packages = new Set();
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
      if (found) packages.add(found[1]);
    }
  }
  const notices = [];
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
    const text = file ? (await readFile(join(folder, file), "utf8")).trim() : `Licence: ${license}`;
    notices.push(`${name} ${version} (${license})\n\n${text}\n`);
  }
  return `The studio's page contains these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`;
}
