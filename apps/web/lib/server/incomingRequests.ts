import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { apiSecurityHeaders } from "./securityHeaders.ts";

/** The methods that Next hands to a route. */
export const routeMethodNames = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Stands for every method that Next does not know: no page and no route has it. */
const UNROUTED_METHOD = "PATCH";

/** Where the header's name is kept: Next bundles the start of the server apart from its routes. */
const headerName = Symbol.for("app-registry.socketAddressHeader");
const shared = globalThis as { [headerName]?: string };

/**
 * Prepares every request of this process before Next reads it: its path can be decoded, its method is one that Next
 * knows, and a header carries the address at the other end of its socket, which Next does not tell its routes. Nobody
 * outside this process knows the header's name, so no client can write it. `docs/decisions/0007-incoming-requests.md` says
 * why this happens here.
 */
export function installRequestNormalizer(): void {
  if (shared[headerName]) return;
  const name = `x-socket-address-${crypto.randomUUID()}`;
  shared[headerName] = name;
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[name] = request.socket.remoteAddress ?? "";
    request.method = toRoutableMethod(request.method ?? "");
    if (request.url !== undefined) request.url = toDecodableTarget(request.url);
  });
}

/** The address at the other end of a request's socket; undefined when this process did not note it. */
export function getSocketAddress({ headers }: Pick<Request, "headers">): string | undefined {
  const name = shared[headerName];
  return (name && headers.get(name)) || undefined;
}

/**
 * A method that Next can hand to a route. It fails at others before it asks any route, at TRACE with 500 and at
 * PROPFIND with 400; as a method that no route has they are 405.
 */
export function toRoutableMethod(method: string): string {
  return (routeMethodNames as readonly string[]).includes(method) ? method : UNROUTED_METHOD;
}

/**
 * A request target whose path can be decoded. Next fails (500) at one that can't, `/%E0%A4%A`, before it asks any
 * route. With its percent signs encoded once more it is a path like others, which the routes refuse or do not have.
 */
export function toDecodableTarget(target: string): string {
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
 * Gives every answer that Next writes by itself, such as a redirect, the API's security headers. Files of the build
 * keep their own: a policy would bind a worker that a page starts from one.
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

/** Strict-Transport-Security (RFC 6797) for a site that people reach over https; undefined for another. */
export function getHstsHeader(publicUrl: string): string | undefined {
  return publicUrl.startsWith("https:") ? "max-age=31536000" : undefined;
}

/** Has every answer of this process tell browsers to come by https alone: pages, routes, files and redirects. */
export function installHstsHeader(publicUrl: string): void {
  const value = getHstsHeader(publicUrl);
  if (!value) return;
  subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    response.setHeader("strict-transport-security", value);
  });
}
