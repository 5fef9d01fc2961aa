import type { importMcp } from "@app-registry/outbound";
import { MAX_URL_LENGTH } from "@app-registry/sdk";
import { z } from "zod";
import { registry } from "./registry.ts";
import { readJsonBody } from "./requestBody.ts";
import { type RouteHandler, routeMethods } from "./route.ts";

/** An address that the server is asked to read. */
export const readableUrlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(MAX_URL_LENGTH)
  .describe("The address that is read.");

/** Body of the POST /api/import routes. */
export const importRequestSchema = z.strictObject({ url: readableUrlSchema });

/** The methods of a route that reads an address for its caller and keeps nothing. */
export function importRoute(
  read: (url: string, options: Parameters<typeof importMcp>[1]) => Promise<object>,
) {
  const answer: RouteHandler = async (request) => {
    const { url } = await readJsonBody(request, importRequestSchema);
    return Response.json(await read(url, registry()), { headers: { "cache-control": "no-store" } });
  };
  return routeMethods({ POST: answer }, { limit: "importClient" });
}
