import { CDN_LOOP, RecordedDocumentError, type RecordedDocumentErrorCode } from "@app-registry/outbound";
import {
  compareAgentCard,
  createRegistrationFile,
  findAgentEntry,
  readAgentCard,
} from "@app-registry/outbound/internal";
import { AppRegistryError, type JsonObject } from "@app-registry/sdk";
import { toolComparisonSchema } from "@app-registry/sdk/internal";
import { TtlCache } from "@app-registry/server/TtlCache";
import { z } from "zod";
import { getSite } from "../limits/clientAddress.ts";
import { createTurns } from "../pictures/turns.ts";
import { ApiProblem } from "../problem.ts";
import { appResponseSchema, readApp } from "../readApp.ts";
import type { Registry } from "../registry.ts";
import * as routes from "./route.ts";

const agentCardSchema = appResponseSchema.pick({ did: true, proven: true, verification: true }).extend({
  version: z.string().describe("major.minor.patch"),
  url: z.url().describe("Where the card was read, after redirects."),
  fetchedAt: z.int().describe("Unix seconds."),
  card: z.looseObject({}).describe("The card as its host serves it, without additions."),
  signatures: z.array(z.string()).describe("Result of each of the card's signatures, in one sentence."),
  differences: z
    .array(z.object({ field: z.string() }).catchall(z.unknown()))
    .describe("Differences from the registered version in url, name, version and supportedInterfaces."),
  skills: toolComparisonSchema,
});

const MINUTE = 60_000;

/** Cards by URL, or the reasons why they can't be read, so that many readers cause one request. */
const cards = new TtlCache<Awaited<ReturnType<typeof readCard>>>(100);

/** Limits the cards that are read at once for all clients together, and those of one client. */
const takeTurn = createTurns({
  ...{ slots: 8, slotsPerClient: 2, waitingPerClient: 20, waiting: 200 },
  busy: new ApiProblem(503, "agent-cards-busy", "Too many agent cards are being read", { retryable: true }),
});

async function readCard(url: string, { guardedFetch }: Registry) {
  try {
    return await readAgentCard(url, guardedFetch);
  } catch (error) {
    if (!(error instanceof AppRegistryError)) throw error;
    const { shortMessage, retryable } = error;
    const detail = `${shortMessage} GET /api/apps has what is registered.`;
    return new ApiProblem(502, "agent-card-unreachable", "Couldn't load the agent card", {
      detail,
      retryable,
    });
  }
}

/** Reads a version like `readApp`, and throws if its document can't be read. */
async function readVersion(request: Request, source: Registry) {
  const { metadataProblem, ...app } = await readApp(request, source);
  if (metadataProblem)
    throw new RecordedDocumentError(
      metadataProblem.code as RecordedDocumentErrorCode,
      metadataProblem.detail,
    );
  return { ...app, metadata: app.metadata as JsonObject };
}

async function serveAgentCard(request: Request, source: Registry, client: string): Promise<Response> {
  if (request.headers.get("cdn-loop")?.includes(CDN_LOOP))
    throw new ApiProblem(508, "agent-card-loop", "The agent card's URL points back to a registry's server");
  const { did, proven, record, metadata, verification } = await readVersion(request, source);
  const { version } = record;
  const agent = findAgentEntry(metadata);
  if (!agent || metadata.probe === false) {
    const reason = agent ? "opted out of live checks" : "lists no A2A endpoint";
    const detail = `Version ${version} ${reason}. GET /api/apps has what is registered.`;
    throw new ApiProblem(404, "agent-card-not-found", "No agent card", { detail });
  }
  const read = await cards.get(
    agent.url,
    (kept) => (kept instanceof ApiProblem ? MINUTE : 5 * MINUTE),
    () => takeTurn(client, () => readCard(agent.url, source)),
  );
  if (read instanceof ApiProblem) throw read;
  const { text, card: _, ...served } = read;
  const compared = compareAgentCard({ ...agent, name: metadata.name, version }, read);
  const rest = JSON.stringify({ did, proven, version, ...served, ...compared, verification });
  // Insert the served text, because parsing would change how its numbers and texts are written.
  return new Response(escapeInvisible(`${rest.slice(0, -1)},"card":${text}}`), {
    headers: { "content-type": "application/json", "cache-control": "public, max-age=15" },
  });
}

/** Escapes controls and invisible characters of a JSON text, which terminals may execute. Its value is the same. */
const escapeInvisible = (json: string): string =>
  json.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

const errors = {
  ...routes.badRequest,
  ...routes.notRegistered,
  409: "The document at dataUrl doesn't match the record.",
  ...routes.hidden,
  502: "The host of dataUrl does not serve the document.",
  ...routes.unavailable,
};
const parameters = [routes.versionedDid("<did>, or <did>/v/<version>.")];

/** Returns the routes that describe agents in the formats of A2A and ERC-8004. */
export const agentRoutes = (registry: () => Registry) => [
  routes.defineRoute({
    method: "get",
    path: "/api/agent-card/{versionedDid}",
    limits: ["readClient", "importClient"],
    documented: {
      operationId: "getAgentCard",
      summary: "Get the agent card (A2A) that a service's host serves now, with its verification report",
      description:
        "Before an agent calls another, it reads the other's card here and learns who controls that agent and whether the card " +
        "still matches what is registered. Cards are cached for up to five minutes.",
      parameters,
      responses: { 200: routes.answer("The card, and what this registry found.", agentCardSchema) },
      errors: {
        ...errors,
        404: "The version is not registered, lists no A2A endpoint, or opted out of live checks.",
        502: "A host does not serve the card, or the document.",
        503: "The chain is unreachable, or too many cards are being read (`agent-cards-busy`). Try again.",
        508: "A registry's server sent the request, because a card's URL points to a registry.",
      },
    },
    handler: (request, context) => serveAgentCard(request, registry(), getSite(context.clientAddress())),
  }),
  routes.defineRoute({
    method: "get",
    path: "/api/agent-registration/{versionedDid}",
    limits: ["readClient"],
    documented: {
      operationId: "getAgentRegistration",
      summary: "Get a version as an agent's registration file (ERC-8004)",
      description:
        "A client that reads registration files (`registration-v1`) reads any registered service here. Apart from the DID and " +
        "`active`, their content is claimed by the publisher. Fields that the version does not claim are absent.",
      parameters,
      responses: {
        200: routes.anyJson("The file, with `type`, `name`, `description`, `services` and `active`."),
      },
      errors,
    },
    async handler(request) {
      const { did, metadata, status } = await readVersion(request, registry());
      const headers = { "cache-control": "public, max-age=15" };
      return Response.json(createRegistrationFile(did, metadata, status === 0), { headers });
    },
  }),
];
