import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";

/** Where the header's name is kept: Next bundles the start of the server apart from its routes. */
const headerName = Symbol.for("app-registry.socketAddressHeader");
const shared = globalThis as { [headerName]?: string };

/**
 * Has every request of this process carry the address at the other end of its socket, which Next's routes are not
 * told. It stands in a header whose name nobody outside this process knows, so that no client can write it.
 */
export function noteSocketAddresses(): void {
  if (shared[headerName]) return;
  const name = `x-socket-address-${crypto.randomUUID()}`;
  shared[headerName] = name;
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[name] = request.socket.remoteAddress ?? "";
  });
}

/** The address at the other end of a request's socket; undefined when this process did not note it. */
export function socketAddressOf({ headers }: Pick<Request, "headers">): string | undefined {
  const name = shared[headerName];
  return (name && headers.get(name)) || undefined;
}
