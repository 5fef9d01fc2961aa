import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patience } from "@app-registry/test-kit/vitestProjects";
import { webDirectory } from "../../../../../scripts/stack/buildWeb.ts";
import { answers, startService, waitUntilReady } from "../../../../../scripts/stack/processes.ts";
import { web } from "../../../../../scripts/stack/programs.ts";

/** Folder of a build, relative to apps/web, as set by `pnpm test`. */
const built = process.env.NEXT_TEST_BUILD || undefined;

/** Maximum time for a server to exit by itself, in milliseconds. */
const SHUTDOWN = 60_000;

export type NextServer = {
  origin: string;
  /** Returns the log so far. */
  log(): string;
  /** Stops the server with a signal, as an operator does, and waits until it has exited. */
  terminate(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts the web app on a port in separate processes: the existing build or, without one or if `inDevelopment`,
 * `next dev` in a folder named after the port.
 */
export async function startNextServer(
  port: number,
  variables: Record<string, string>,
  { inDevelopment = built === undefined } = {},
): Promise<NextServer> {
  const nextDirectory = inDevelopment || built === undefined ? `.next-${port}-test` : built;
  const program = web(port, { nextDirectory, isBuilt: !inDevelopment });
  const settings = { PUBLIC_URL: program.url, ...variables };
  const logDirectory = await mkdtemp(join(tmpdir(), "web-server-"));
  const server = await startService({ ...program, name: "web", settings, logDirectory });
  const stop = async () => {
    await server.kill();
    const folders = [logDirectory, ...(inDevelopment ? [join(webDirectory, nextDirectory)] : [])];
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  const isReady = () => answers(`${server.url}/api/health`);
  await waitUntilReady(server, isReady, patience.hookTimeout / 1_000).catch((error) =>
    stop().finally(() => Promise.reject(error)),
  );
  const log = () => readFileSync(server.logFile, "utf8");
  return { origin: server.url, log, terminate: () => server.stop(SHUTDOWN), stop };
}
