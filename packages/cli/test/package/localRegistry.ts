import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { listen } from "@app-registry/test-kit/listen";

type Manifest = { name: string; version: string } & Partial<
  Record<"dependencies" | "optionalDependencies" | "peerDependencies", Record<string, string>>
>;

type Installed = { folder: string; manifest: Manifest };

/**
 * Starts an npm registry on loopback with all installed dependencies of a package. Installing from it needs no network,
 * and uses each package's own manifest and files.
 */
export async function startLocalRegistry(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const packages = await findDependencies(folder);
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURIComponent(url);
    const wanted = packages.find(({ folder: place }) => path === tarballPath(place));
    if (wanted) return sendTarball(wanted.folder, response);
    const versions = packages.filter(({ manifest }) => path === `/${manifest.name}`);
    response.writeHead(versions.length > 0 ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(packument(versions, origin)));
  });
  const { origin, close } = await listen(server);
  return { url: origin, close };
}

const tarballPath = (folder: string) => `${folder}.tgz`;

function packument(versions: readonly Installed[], origin: string) {
  const dist = (folder: string) => ({ tarball: `${origin}${encodeURI(tarballPath(folder))}` });
  const latest = versions.at(-1)?.manifest;
  return {
    name: latest?.name,
    "dist-tags": { latest: latest?.version },
    versions: Object.fromEntries(
      versions.map(({ folder, manifest }) => [manifest.version, { ...manifest, dist: dist(folder) }]),
    ),
  };
}

function sendTarball(folder: string, response: ServerResponse): void {
  // Store hard links as files: pnpm links files that packages share, and npm does not unpack links.
  const files = process.platform === "linux" ? ["--hard-dereference"] : [];
  spawn("tar", ["-czf", "-", ...files, "--exclude", "./node_modules", "-C", folder, "."]).stdout.pipe(
    response,
  );
}

/** Lists all dependencies of the package in a folder, resolved like Node.js does. Optional ones may be missing. */
async function findDependencies(start: string): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  const visit = async (folder: string) => {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = findPackage(name, folder);
      if (place === undefined || found.has(place)) continue;
      found.set(place, {
        folder: place,
        manifest: JSON.parse(await readFile(join(place, "package.json"), "utf8")),
      });
      await visit(place);
    }
  };
  await visit(realpathSync(start));
  return [...found.values()];
}

function findPackage(name: string, folder: string): string | undefined {
  const place = join(folder, "node_modules", name);
  if (existsSync(place)) return realpathSync(place);
  return folder === dirname(folder) ? undefined : findPackage(name, dirname(folder));
}
