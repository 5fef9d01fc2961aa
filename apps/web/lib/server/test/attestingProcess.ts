import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { readEnvironment } from "@app-registry/server/environment";
import { createRegistry } from "../registry.ts";
import { attestingServer } from "./attestingServer.ts";

/**
 * Serves POST /api/verify-and-attest in a separate process, configured by the environment. Sends its port when it
 * listens.
 */
const { post, issuer } = attestingServer(createRegistry(readEnvironment(process.env)));
await issuer();
const server = createServer(async (request, response) => {
  const answer = await post(JSON.parse(await text(request)));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.("listening"));
