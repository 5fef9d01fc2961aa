import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Environment variable with the address of the servers, for every process of a test run. */
const VARIABLE = "TEST_SERVERS_URL";

/**
 * Starts the process with one local chain server and one PostgreSQL for a test run, unless the run already has it, and
 * puts its address into the environment. The process ends with this one.
 *
 * @returns A function that stops the process if this call started it.
 */
export default async function startServers(): Promise<() => Promise<void>> {
  if (process.env[VARIABLE]) return async () => undefined;
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const child = spawn(process.execPath, [fileURLToPath(new URL("serversProcess.ts", import.meta.url))], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, HARDHAT_DISABLE_TELEMETRY_PROMPT: "true" },
  });
  const [url] = await Promise.race([once(child.stdout, "data"), once(child, "close").then(() => [""])]);
  if (!String(url)) throw new Error(`The servers of the tests ended with code ${child.exitCode}`);
  process.env[VARIABLE] = String(url).trim();
  return async () => {
    delete process.env[VARIABLE];
    const ended = once(child, "close");
    child.stdin.end();
    await ended;
  };
}

/**
 * Requests that the servers start or stop a chain, or create or drop a database.
 *
 * @throws Error when there are no servers or the request fails.
 */
export async function askServers<Answer>(path: string, body: object): Promise<Answer> {
  const url = process.env[VARIABLE];
  if (!url)
    throw new Error(`${VARIABLE} is not set: the vitest configuration names servers.ts as globalSetup`);
  const response = await fetch(new URL(path, url), { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} failed: ${text}`);
  return JSON.parse(text) as Answer;
}
