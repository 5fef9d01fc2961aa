import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";

/** Strict-Transport-Security (RFC 6797) for a site that people reach over https; undefined for another. */
export function transportSecurity(publicUrl: string): string | undefined {
  return publicUrl.startsWith("https:") ? "max-age=31536000" : undefined;
}

/** Has every answer of this process tell browsers to come by https alone: pages, routes, files and redirects. */
export function sendTransportSecurity(publicUrl: string): void {
  const value = transportSecurity(publicUrl);
  if (!value) return;
  subscribe("http.server.request.start", (message) => {
    const { response } = message as { response: ServerResponse };
    response.setHeader("strict-transport-security", value);
  });
}
