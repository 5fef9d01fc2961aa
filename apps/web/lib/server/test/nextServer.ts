import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { webServer } from "../../../../../scripts/stack/buildWeb.ts";

const folder = fileURLToPath(new URL("../../../", import.meta.url));
const next = createRequire(import.meta.url).resolve("next/dist/bin/next");

/** Folder of a build, relative to apps/web: `pnpm test` names the one that it made. */
const built = process.env.NEXT_TEST_BUILD || undefined;

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
  const distDir = built ?? `.next-${port}-test`;
  const origin = `http://localhost:${port}`;
  const program = built ? [webServer(built)] : [next, "dev", "--port", String(port)];
  const server = spawn(process.execPath, program, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: origin,
      ...variables,
      NODE_ENV: built ? "production" : "development",
      NEXT_DIST_DIR: distDir,
      NEXT_TELEMETRY_DISABLED: "1",
    },
  });
  const output: string[] = [];
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  // Next works in processes of its own below the one that was started.
  const kill = () => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, "SIGKILL");
  };
  // A test run that is interrupted leaves no server behind.
  process.once("exit", kill);
  const stop = async () => {
    const ended = server.exitCode === null ? once(server, "close") : undefined;
    process.off("exit", kill);
    kill();
    await ended;
    if (!built) await rm(`${folder}${distDir}`, { recursive: true, force: true });
  };
  const answers = () =>
    fetch(`${origin}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + 150_000; !(await answers()); ) {
    if (server.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the web server did not start: ${output.join("")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const terminate = async () => {
    const ended = once(server, "close");
    server.kill("SIGTERM");
    await ended;
  };
  return { origin, log: () => output.join(""), terminate, stop };
}
