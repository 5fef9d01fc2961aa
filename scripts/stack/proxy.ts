import { join } from "node:path";
import type { Server } from "./chain.ts";
import { capture, rootDirectory, startService, waitUntilReady } from "./processes.ts";

interface ProxyParameters {
  port: number;
  /** URLs of the web processes. */
  upstreams: readonly string[];
  logDirectory: string;
}

/**
 * Starts Caddy before web processes, with the upstreams' rules of a deployment (`deploy/upstreams.caddy`).
 * @throws When Caddy is not installed.
 */
export async function startProxy({ port, upstreams, logDirectory }: ProxyParameters): Promise<Server> {
  await capture("caddy", ["version"]).catch(() => {
    throw new Error(
      "This needs the proxy Caddy: apt-get install caddy (https://caddyserver.com/docs/install)",
    );
  });
  const url = `http://localhost:${port}`;
  const service = await startService({
    name: "proxy",
    command: "caddy",
    parameters: ["run", "--config", join(rootDirectory, "scripts/stack/Caddyfile"), "--adapter", "caddyfile"],
    environment: {
      PROXY_PORT: String(port),
      WEB_UPSTREAMS: upstreams.map((upstream) => new URL(upstream).host).join(" "),
    },
    logDirectory,
  });
  await waitUntilReady(service, 30, async () => (await fetch(`${url}/api/deployment`)).ok);
  return { url, service };
}
