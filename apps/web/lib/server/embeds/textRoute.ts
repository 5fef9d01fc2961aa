import { createRoute, type RouteHandler } from "../createRouteHandler.ts";
import { registry } from "../registry.ts";

/** Creates the handlers of a text that depends only on this server's public URL. */
export function textRoute(write: (publicUrl: string) => string) {
  const answer: RouteHandler = async () =>
    new Response(write(registry().environment.publicUrl), {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
    });
  return createRoute({ GET: answer });
}
