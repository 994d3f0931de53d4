// Zip files and folders, which take the files of a bake.

import { makeZip } from "client-zip";

/** Takes the files of a bake as they are finished. */
export interface Store {
  add(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  remove(name: string): Promise<void>;
  /** Completes the result, and returns its name. */
  end(): Promise<string>;
  /** Removes what was written. */
  drop(): Promise<void>;
}

/** A zip file without compression, which `save` receives at the end. Browsers keep large blobs on disk. */
export function zipStore(name: string, save: (name: string, blob: Blob) => void): Store {
  const files = new Map<string, Blob>();
  return {
    async add(file, bytes) {
      files.set(file, new Blob([bytes]));
    },
    async remove(file) {
      files.delete(file);
    },
    async end() {
      const inputs = [...files].map(([name, input]) => ({ name, input }));
      save(name, await new Response(makeZip(inputs), { headers: { "content-type": "application/zip" } }).blob());
      return name;
    },
    async drop() {
      files.clear();
    },
  };
}

/** A new folder in one that the user has chosen. */
export async function folderStore(parent: FileSystemDirectoryHandle, name: string): Promise<Store> {
  const folder = await parent.getDirectoryHandle(name, { create: true });
  for await (const file of folder.keys()) {
    throw new Error(`folder '${name}' already contains '${file}'; allowed: a new or empty folder`);
  }
  const written = new Set<string>();
  return {
    async add(file, bytes) {
      written.add(file);
      const stream = await (await folder.getFileHandle(file, { create: true })).createWritable();
      await stream.write(bytes);
      await stream.close();
    },
    async remove(file) {
      if (written.delete(file)) await folder.removeEntry(file);
    },
    async end() {
      return `${parent.name}/${name}`;
    },
    async drop() {
      for (const file of written) await folder.removeEntry(file).catch(() => {});
      await parent.removeEntry(name);
    },
  };
}
