/**
 * What stands behind a route's prefix in the request's path, as it was sent: a framework's parameters are decoded,
 * and decoding turns `did:web:localhost%3A3000` into another DID.
 */
export function rawPathAfter(request: Request, prefix: string): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length).replace(/\/$/, "") : "";
}
