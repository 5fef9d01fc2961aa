import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildDocs } from "./buildDocs.ts";
import { buildPackages } from "./buildPackages.ts";
import { rootDirectory, run } from "./processes.ts";
import type { Step } from "./steps.ts";

/** Build folder of `pnpm build`, relative to apps/web. Next reads the same variable. */
export const NEXT_DIRECTORY = process.env.NEXT_DIST_DIR ?? ".next";

export const webDirectory = join(rootDirectory, "apps/web");

/** Returns the path of the program that serves a build. Its folder can be copied on its own. */
export const webServer = (nextDirectory: string) =>
  join(webDirectory, nextDirectory, "standalone/apps/web/server.js");

/**
 * Builds the web app for production into a folder of apps/web, with everything that its server needs.
 * @throws Error with the end of the build's output.
 */
export async function buildWeb(
  nextDirectory: string,
  environment: Record<string, string> = {},
  step: Step = (_, work) => work(),
): Promise<void> {
  const output = join(webDirectory, nextDirectory);
  await rm(join(output, "standalone"), { recursive: true, force: true });
  const options = { directory: webDirectory, environment: { ...environment, NEXT_DIST_DIR: nextDirectory } };
  await Promise.all([
    step("web app", () => run("node_modules/.bin/next", ["build"], options)),
    step("packages", buildPackages),
    step("documents", buildDocs),
  ]);
  // Next omits static files, which a content delivery network could serve.
  const served = join(output, "standalone/apps/web");
  await cp(join(output, "static"), join(served, nextDirectory, "static"), { recursive: true });
  // A thread can't load a part of Next's build, so its program is a bundle of its own.
  await run(
    "node_modules/.bin/esbuild",
    [
      ...["readService=lib/server/imports/readService.ts", `--outdir=${join(served, "lib/server/imports")}`],
      ...["--bundle", "--splitting", "--out-extension:.js=.mjs", "--log-level=warning"],
      ...["--platform=node", "--format=esm", "--main-fields=module,main"],
      // Bundled CommonJS modules require Node's own modules.
      '--banner:js=import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
    ],
    { directory: webDirectory },
  );
  await cp(join(webDirectory, "public"), join(served, "public"), { recursive: true });
}
