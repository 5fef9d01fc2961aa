import { subscribe } from "node:diagnostics_channel";
import type { Server } from "node:http";

/**
 * Lets the servers of this process answer a request for another protocol as a plain request, from their first request
 * on. This app has no WebSockets, and Next holds such a connection open for ever if its path has no page.
 */
export function ignoreUpgrades(): void {
  subscribe("http.server.request.start", (message) => {
    const { server } = message as { server: Server };
    server.removeAllListeners("upgrade");
  });
}
