import { existsSync } from "node:fs";
import { join } from "node:path";
import { readContractFindings } from "@app-registry/issuer";
import {
  checkServedDocument,
  type Discovery,
  discoverService,
  discoverySchema,
  findingKinds,
} from "@app-registry/outbound";
import { ADDRESS_LOOK, parseDiscoveryTarget } from "@app-registry/outbound/internal";
import { HashAlgorithm, MAX_URL_LENGTH } from "@app-registry/sdk";
import { hashSchema } from "@app-registry/sdk/internal";
import { once } from "@app-registry/server/async";
import { metrics } from "@app-registry/server/metrics";
import { Piscina } from "piscina";
import { z } from "zod";
import { ApiProblem } from "../http/problem.ts";
import { answer, badRequest, defineRoute, noStore } from "../http/route.ts";
import { createTurns } from "../http/turns.ts";
import type { Registry } from "../registry.ts";
import type { OutboundAnswer, ReadServiceTask } from "./readService.ts";

/** Time limit of one import, in milliseconds: 20 seconds for the hosts, and the rest for parsing. */
const DEADLINE = 30_000;

/** Memory limit of a thread's heap, in MB. The largest document that is read needs about 150. */
const MAX_HEAP_MB = 256;

/** Number of imports that run at once, each in a thread of its own. */
const IMPORT_THREADS = 2;

/** The web app always starts in its folder. A build contains the program as a bundle. */
const folder = join(process.cwd(), "lib/server/imports");

const threads = once(() => {
  const bundle = join(folder, "readService.mjs");
  const pool = new Piscina<ReadServiceTask, Discovery>({
    filename: existsSync(bundle) ? bundle : join(folder, "readService.ts"),
    minThreads: 0,
    maxThreads: IMPORT_THREADS,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // The issuer's key is in the environment of this process.
    env: { NODE_ENV: process.env.NODE_ENV },
  });
  pool.on("message", (answer: OutboundAnswer) => metrics().outbound(...answer));
  return pool;
});

/**
 * Reads a service on the web in a thread, so that no document stops this process or uses up its memory. A service that
 * exceeds the limits of time or memory is a failed location.
 */
export async function readInWorker(task: ReadServiceTask, deadline = DEADLINE): Promise<Discovery> {
  try {
    return await threads().run(task, { signal: AbortSignal.timeout(deadline) });
  } catch (error) {
    const { name, code } = error as { name?: string; code?: string };
    if (name !== "AbortError" && code !== "ERR_WORKER_OUT_OF_MEMORY") throw error;
    const reason = "Its documents need too much time or memory to read.";
    const { input } = task;
    return {
      input,
      dids: [],
      findings: [],
      looked: [{ place: input, lookedFor: ADDRESS_LOOK, outcome: "failed", reason }],
    };
  }
}

const busy = new ApiProblem(503, "imports-busy", "Too many addresses are being read", {
  retryable: true,
  retryAfter: 10,
});

/** Limits the imports that run at once, and those of one client. */
const importTurns = createTurns({
  ...{ slots: IMPORT_THREADS, slotsPerClient: 1, waitingPerClient: 20, waiting: 100 },
  busy,
});

/** Limits the single documents that are read at once, and those of one client. */
const documentTurns = createTurns({
  ...{ slots: 8, slotsPerClient: 2, waitingPerClient: 20, waiting: 100 },
  busy,
});

/** Returns the routes that read an address for a publisher. They store nothing. */
export const importRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "post",
    path: "/api/import",
    limits: ["importClient"],
    inTurn: importTurns,
    body: z.strictObject({
      input: z
        .string()
        .trim()
        .min(1, "must be a URL, a domain, a contract address or a DID")
        .max(MAX_URL_LENGTH)
        .describe("A URL, domain, contract address or DID."),
      kind: z
        .enum(findingKinds)
        .optional()
        .describe("Expected type of service, if known. Its findings come first."),
      variables: z
        .record(z.string().max(64), z.string().max(500))
        .optional()
        .describe("Values of the variables in the server's address, by name. See `variables` of a finding."),
    }),
    documented: {
      operationId: "importService",
      summary: "Read how a service describes itself",
      description:
        "Reads the address, and the well-known locations of its host if it is a domain or has no service. Each finding " +
        "is one service. A location that doesn't respond is part of the result, not an error.",
      responses: { 200: answer("What was found, and every location that was checked.", discoverySchema) },
      errors: {
        ...badRequest,
        503: "A chain is unreachable, or too many addresses are being read (`imports-busy`). Try again.",
      },
    },
    async handler(_, { body: { input, kind, variables } }) {
      const { guardedFetch, chainIds, chainClient, environment } = registry();
      const { allowLoopback } = environment;
      const chains = { chainIds, chainClient };
      const discovery =
        "url" in parseDiscoveryTarget(input)
          ? await readInWorker({ input, kind, variables, allowLoopback })
          : await discoverService(input, {
              guardedFetch,
              readContract: (contract) => readContractFindings(contract, chains),
            });
      return Response.json(discovery, noStore);
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/check-data-url",
    limits: ["importClient"],
    inTurn: documentTurns,
    body: z.strictObject({
      url: z
        .url({ protocol: /^https?$/, error: "must be an http or https URL" })
        .max(MAX_URL_LENGTH)
        .describe("URL to read."),
      dataHash: hashSchema,
      algorithm: z.enum(HashAlgorithm).describe("0 keccak256, 1 sha256."),
    }),
    documented: {
      operationId: "checkDataUrl",
      summary: "Check that a URL serves the document with a given hash",
      description:
        "Checks a URL before a record names it. The server reads it under the rules for outbound requests.",
      responses: {
        200: answer(
          "The result, with a reason if the check failed.",
          z.object({
            ok: z.boolean(),
            dataHash: z.optional(hashSchema).describe("dataHash of the JSON that the URL serves instead."),
            reason: z.string().optional().describe("Why the check failed."),
          }),
        ),
      },
      errors: { ...badRequest, 503: "Too many addresses are being read (`imports-busy`). Try again." },
    },
    async handler(_, { body: { url, dataHash, algorithm } }) {
      const recorded = { dataUrl: url, dataHash, dataHashAlgorithm: algorithm };
      return Response.json(await checkServedDocument({ ...registry(), ...recorded }), noStore);
    },
  }),
];
