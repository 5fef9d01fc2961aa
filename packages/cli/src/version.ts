import { createRequire } from "node:module";

/** The version of the package, from its manifest: the sources and what is built from them are at different depths. */
export const packageVersion: string = createRequire(import.meta.url)(
  "@app-registry/cli/package.json",
).version;
