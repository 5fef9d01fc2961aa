import { rm } from "node:fs/promises";
import { build } from "esbuild";

/**
 * Bundles the command in the current folder with all its dependencies, by default into dist: npx then installs one package and no other, and
 * no name in the package's manifest can lead to somebody else's code.
 */
const [, , outdir = "dist"] = process.argv;
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { main: "src/main.ts" },
  outdir,
  bundle: true,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "linked",
  platform: "node",
  format: "esm",
  target: "node20",
  // The CommonJS build of some packages hides its requires from the bundler.
  mainFields: ["module", "main"],
  // Bundled CommonJS modules require Node's own modules.
  banner: {
    js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
  },
});
