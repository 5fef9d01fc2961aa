import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { apiSecurityHeaders } from "./securityHeaders.ts";

/** Methods that Next passes to a route. */
export const routeMethodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Replacement for every method that Next does not know. No page and no route supports it. */
const UNROUTED_METHOD = "PATCH";

/**
 * Global key of the header's name. Next bundles the server's startup code separately from its routes, so a module
 * variable would not be shared.
 */
const headerName = Symbol.for("app-registry.socketAddressHeader");
const shared = globalThis as { [headerName]?: string };

/**
 * Normalises every request of this process before Next reads it: makes the path decodable, replaces unknown methods,
 * and adds a header with the socket's remote address, which Next does not expose to routes. The header's name is random
 * and secret, so clients cannot forge it. `docs/decisions/0007-incoming-requests.md` explains the choice.
 */
export function installRequestNormalizer(): void {
  if (shared[headerName]) return;
  const name = `x-socket-address-${crypto.randomUUID()}`;
  shared[headerName] = name;
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    const address = request.socket.remoteAddress ?? "";
    request.headers[name] = address;
    // Next adds this header to requests without it. Without Next, the client's address must be the same.
    request.headers["x-forwarded-for"] ??= address;
    request.method = toRoutableMethod(request.method ?? "");
    if (request.url !== undefined) request.url = toDecodableTarget(request.url);
  });
}

/** Returns the remote address of a request's socket, or `undefined` if this process did not record it. */
export function getSocketAddress({ headers }: Pick<Request, "headers">): string | undefined {
  const name = shared[headerName];
  return (name && headers.get(name)) || undefined;
}

/**
 * Returns a method that Next can route. Next fails on other methods before it reaches a route (TRACE: 500, PROPFIND:
 * 400); as a method that no route supports they return 405.
 */
export function toRoutableMethod(method: string): string {
  return (routeMethodNames as readonly string[]).includes(method) ? method : UNROUTED_METHOD;
}

/**
 * Returns a request target with a path that can be decoded. Next fails with 500 on a path that cannot, such as
 * `/%E0%A4%A`, before it reaches a route. Encoding its percent signs again yields a path that routes reject or do not
 * match. Next would redirect an absolute URL (RFC 9112, 3.2.2) to itself.
 */
export function toDecodableTarget(given: string): string {
  const target = given.replace(/^https?:\/\/[^/?]*\/?/i, "/");
  if (target === "*") return "/*";
  const queryAt = target.indexOf("?");
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.replaceAll("%", "%25") + target.slice(path.length);
  }
}

/**
 * Adds the API's security headers to every response that Next writes itself, such as redirects. Build files keep their
 * own headers: a policy would also apply to workers that a page starts from one.
 */
export function sendDefaultSecurity(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const isStatic = request.url?.startsWith("/_next/static/");
    const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => ServerResponse;
    response.writeHead = (...parameters: unknown[]) => {
      const isFile = isStatic && Number(parameters[0]) <= 304;
      if (!isFile && !response.hasHeader("content-security-policy")) {
        for (const [name, value] of Object.entries(apiSecurityHeaders)) response.setHeader(name, value);
      }
      return writeHead(...parameters);
    };
  });
}

/** Returns the Strict-Transport-Security header (RFC 6797) of an https site, or `undefined` for other sites. */
export function getHstsHeader(publicUrl: string): string | undefined {
  return publicUrl.startsWith("https:") ? "max-age=31536000" : undefined;
}

/** Adds Strict-Transport-Security to every response of this process: pages, routes, files and redirects. */
export function installHstsHeader(publicUrl: string): void {
  const value = getHstsHeader(publicUrl);
  if (!value) return;
  subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    response.setHeader("strict-transport-security", value);
  });
}
