import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webDirectory } from "../../../../../scripts/stack/buildWeb.ts";
import { answers, startService, waitUntilReady } from "../../../../../scripts/stack/processes.ts";
import { web } from "../../../../../scripts/stack/programs.ts";

/** Folder of a build, relative to apps/web: `pnpm test` names the one that it made. */
const built = process.env.NEXT_TEST_BUILD || undefined;

/** Longer than a server may take to end by itself, in milliseconds. */
const SHUTDOWN = 60_000;

export type NextServer = {
  origin: string;
  /** What it has logged. */
  log(): string;
  /** Asks it to end, as an operator does, and waits until it has. */
  terminate(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The web app on a port, in processes of its own: as it was built or, without a build, as `next dev` compiles it in a
 * folder that is named after the port.
 */
export async function startNextServer(port: number, variables: Record<string, string>): Promise<NextServer> {
  const nextDirectory = built ?? `.next-${port}-test`;
  const program = web(port, { nextDirectory, isBuilt: built !== undefined });
  const settings = { PUBLIC_URL: program.url, ...variables };
  const logDirectory = await mkdtemp(join(tmpdir(), "web-server-"));
  const server = await startService({ ...program, name: "web", settings, logDirectory });
  const stop = async () => {
    await server.kill();
    const folders = [logDirectory, ...(built ? [] : [join(webDirectory, nextDirectory)])];
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  await waitUntilReady(server, () => answers(`${server.url}/api/health`)).catch((error) =>
    stop().finally(() => Promise.reject(error)),
  );
  const log = () => readFileSync(server.logFile, "utf8");
  return { origin: server.url, log, terminate: () => server.stop(SHUTDOWN), stop };
}
