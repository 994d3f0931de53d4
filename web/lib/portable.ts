/** A noise or a pipeline for another program or worker. */
export interface Portable {
  /** Its JSON. */
  json: string;
  /** The bytes of the files of heights that the JSON names. */
  files: Readonly<Record<string, Uint8Array>>;
}

/** From the module's pair. */
export function portableOf([json, files]: [string, Map<string, Uint8Array>]): Portable {
  return { json, files: Object.fromEntries(files) };
}

/** The bytes of a file by its name, for the module. */
export const reader = (files: Readonly<Record<string, Uint8Array>>) => (name: string) => (Object.hasOwn(files, name) ? files[name] : undefined);
