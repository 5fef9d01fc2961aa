import { build } from "esbuild";

// Everything that the guard needs: a client's configuration starts it by npx, which then has nothing else to install.
await build({
  entryPoints: { main: "src/main.ts" },
  outdir: "dist/bundle",
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
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
