/**
 * Returns the part of the raw request path after a route's prefix. A framework's decoded parameters would turn
 * `did:web:localhost%3A3000` into another DID.
 */
export function rawPathAfter(request: Request, prefix: string): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, "") : "";
}
