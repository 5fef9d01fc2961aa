import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileContracts } from "./buildContracts.ts";
import { rootDirectory, run, type Step } from "./processes.ts";

/**
 * Builds the pages of docs/ that the web app serves at `/docs`.
 * @throws Error with the end of the build's output, such as a link to a page that doesn't exist
 */
export const buildDocs = () =>
  run("node_modules/.bin/vitepress", ["build", "docs"], { directory: rootDirectory });

/** Folder of the packages that the web app serves at `/packages/`. */
const packagesDirectory = join(rootDirectory, "apps/web/public/packages");

/** Packages that people install. The commands contain their dependencies, and no package depends on one of our scope. */
const names = ["sdk", "mcp", "cli"] as const;

/**
 * Packs the packages for the web app, and lists them in index.json by name. A file's name contains a hash of its
 * content, because npx reuses what it once installed from a URL.
 * @throws Error with the output of a build that fails
 */
export async function buildPackages(): Promise<void> {
  // The sdk contains the contracts' ethers bindings, which a fresh clone doesn't have.
  if (!existsSync(join(rootDirectory, "packages/sdk/generated/ethers"))) await compileContracts();
  const folder = await mkdtemp(join(tmpdir(), "app-registry-packages-"));
  const filters = names.flatMap((name) => ["--filter", `@app-registry/${name}`]);
  await run("npx", ["-y", "pnpm@10", ...filters, "-r", "pack", "--pack-destination", folder]);
  await rm(packagesDirectory, { recursive: true, force: true });
  await mkdir(packagesDirectory, { recursive: true });
  const entries = await Promise.all(names.map(async (name) => publish(name, folder)));
  // Write the list last and at once: a server that reads it finds every file.
  const list = join(packagesDirectory, "index.json");
  await writeFile(`${list}.new`, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  await rename(`${list}.new`, list);
  await rm(folder, { recursive: true });
}

/** Copies a packed package under its final name, and returns its entry in the list. */
async function publish(name: string, folder: string) {
  const manifest = await readFile(join(rootDirectory, "packages", name, "package.json"), "utf8");
  const { version } = JSON.parse(manifest);
  const tarball = await readFile(join(folder, `app-registry-${name}-${version}.tgz`));
  const hash = createHash("sha256").update(tarball).digest("hex").slice(0, 16);
  const file = `app-registry-${name}-${version}-${hash}.tgz`;
  await writeFile(join(packagesDirectory, file), tarball);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  return [`@app-registry/${name}`, { version, file, integrity }] as const;
}

/** Build folder of `pnpm build`, relative to apps/web. Next reads the same variable. */
export const NEXT_DIRECTORY = process.env.NEXT_DIST_DIR ?? ".next";

export const webDirectory = join(rootDirectory, "apps/web");

/** Returns the path of the program that serves a build. Its folder can be copied on its own. */
export const webServer = (nextDirectory: string) =>
  join(webDirectory, nextDirectory, "standalone/apps/web/server.js");

/**
 * Builds the web app for production into a folder of apps/web, with everything that its server needs.
 * @throws Error with the end of the build's output, or if that contains files that the server doesn't need.
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
  // Next copies the whole project if it can't tell which files a module reads, and silently leaves out pages if one of
  // those files, such as an old package, is removed meanwhile.
  if (existsSync(join(served, "vitest.config.ts")))
    throw new Error("The web app's build contains the whole project. Read the warnings of `next build`.");
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
