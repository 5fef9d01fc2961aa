import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Names the address of the servers in the environment of every process of a test run. */
const VARIABLE = "TEST_SERVERS_URL";

/**
 * Starts the process that keeps one local chain server and one PostgreSQL for a test run, unless this run has them, and
 * names its address in the environment. It ends with this process.
 * @returns Ends what this call started.
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

/** Asks the servers for a chain or a database, or to end one. */
export async function askServers<Answer>(path: string, body: object): Promise<Answer> {
  const url = process.env[VARIABLE];
  if (!url)
    throw new Error(`${VARIABLE} is not set: the vitest configuration names servers.ts as globalSetup`);
  const response = await fetch(new URL(path, url), { method: "POST", body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} failed: ${text}`);
  return JSON.parse(text) as Answer;
}
