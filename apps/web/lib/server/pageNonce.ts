/** The nonce of a page's own scripts, from the policy that the proxy gave its request. */
export function pageNonce(headers: Pick<Headers, "get">): string | undefined {
  return /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1];
}
