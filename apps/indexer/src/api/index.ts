import type { ServerResponse } from "node:http";
import { db } from "ponder:api";
import schema, { deploymentBlock } from "ponder:schema";
import { searchQuerySchema } from "@app-registry/sdk";
import { readDeployment } from "@app-registry/server/deployment";
import { type Context, Hono } from "hono";
import { client, graphql } from "ponder";
import { z } from "zod";
import { environment } from "../../environment.ts";
import { exportQuerySchema, exportRows } from "./exportRows.ts";
import { getChainHead } from "./getChainHead.ts";
import { jsonText, problem, readParameters } from "./http.ts";
import { type IndexState, indexState, readAtOneBlock } from "./indexState.ts";
import { issuerAttestations, issuerAttestationsQuerySchema } from "./issuerAttestations.ts";
import { liveQuerySchema, liveRecord, openProbeQueue, requestProbe } from "./live.ts";
import { startOperations } from "./operations.ts";
import { changesQuerySchema, recentChanges } from "./recentChanges.ts";
import { InvalidCursorError } from "./search/cursor.ts";
import { runLimited } from "./search/runLimited.ts";
import { search } from "./search/search.ts";
import { sharedNames, sharedNamesQuerySchema } from "./sharedNames.ts";
import { listVersions, versionsQuerySchema } from "./versions.ts";

/** Bindings of Hono's Node.js server. `outgoing` is destroyed when the client disconnects. */
type Env = { Bindings: { outgoing?: ServerResponse } };

const app = new Hono<Env>();
await startOperations();
const { contracts } = readDeployment(environment);

const invalid = "Invalid parameter";

/**
 * Responds with 503 `not-ready` and the progress: `block` is the last indexed block, `chainBlock` the latest block of
 * the chain, or null while the RPC is unavailable.
 */
async function respondNotReady(context: Context, { block = 0 }: IndexState) {
  const chainBlock = await getChainHead();
  const detail =
    chainBlock === null
      ? `Indexed up to block ${block}. The chain's latest block is not known.`
      : `Block ${block} of ${chainBlock} is indexed (${Math.floor((100 * block) / Math.max(1, chainBlock))} %).`;
  const title = "The index is being built.";
  return context.body(
    JSON.stringify({ type: "about:blank", title, status: 503, code: "not-ready", detail, block, chainBlock }),
    503,
    { "content-type": "application/problem+json", "retry-after": "5" },
  );
}

type Ready = Extract<IndexState, { isReady: true }>;

/**
 * Registers a GET route. Requests with invalid parameters get 400, and 503 while the index is being built.
 *
 * @param queue Limits how many requests of this route run at once.
 */
function get<Query>(
  path: string,
  schema: z.core.$ZodType<Query>,
  answer: (context: Context<Env>, query: Query, state: Ready) => Response | Promise<Response>,
  { queue = false } = {},
) {
  app.get(path, async (context) => {
    const query = readParameters(context, schema);
    if ("problems" in query) return problem(context, 400, "invalid-parameter", invalid, query.problems);
    const answered = () =>
      readAtOneBlock(async (state) =>
        state.isReady ? answer(context, query.data, state) : respondNotReady(context, state),
      );
    if (!queue) return answered();
    return (await runLimited(answered, () => !context.env?.outgoing?.destroyed)) ?? context.body(null, 503);
  });
}

get(
  "/search",
  searchQuerySchema,
  async (context, query, state) =>
    jsonText(context, await search(query, state), { "index-block": String(state.block) }),
  { queue: true },
);

get("/state", z.object({}), async (context, _query, { block, hash: last, lag }) => {
  const { number, hash } = deploymentBlock;
  const [deployment = null] = await db.select({ number, hash }).from(deploymentBlock);
  return context.json({ block, hash: last, lag, deployment, registry: contracts.AppRegistry.address });
});

get("/apps/:didHash/versions", versionsQuerySchema, async (context, query, { block }) =>
  context.json({ versions: await listVersions(query), block }),
);

get("/shared-names", sharedNamesQuerySchema, async (context, { tokenIds }, { block }) =>
  context.json({ tokenIds: await sharedNames(tokenIds), block }),
);

get("/issuers/:address/attestations", issuerAttestationsQuerySchema, async (context, query, { block }) =>
  context.json({ ...(await issuerAttestations(query)), block }),
);

const NO_RECORD = "Record not found.";

get("/live/:didHash/:major", liveQuerySchema, async (context, query) => {
  const record = await liveRecord(query);
  return record ? context.json(record) : problem(context, 404, "not-found", NO_RECORD);
});

app.post("/live/:didHash/:major", async (context) => {
  const query = readParameters(context, liveQuerySchema);
  if ("problems" in query) return problem(context, 400, "invalid-parameter", invalid, query.problems);
  const state = await indexState();
  if (!state.isReady) return respondNotReady(context, state);
  const checked = await requestProbe(query.data, Date.now() / 1_000, openProbeQueue());
  if (checked === "not-found") return problem(context, 404, checked, NO_RECORD);
  if (checked === "not-asked") return problem(context, 409, checked, "This record is not checked.");
  if ("nextAt" in checked) return context.json(checked, 202);
  context.header("retry-after", String(checked.retryAfter));
  return problem(context, 429, "asked-recently", "This version was checked recently.");
});

get("/changes", changesQuerySchema, async (context, query) => context.json(await recentChanges(query)));

get("/export/:table", exportQuerySchema, async (context, query, { block }) => {
  const page = await exportRows(query);
  if (!page) return problem(context, 404, "not-found", "Table not found.");
  const next = new URLSearchParams({ limit: String(query.limit), cursor: page.nextCursor ?? "" });
  return context.body(page.ndjson, 200, {
    "content-type": "application/x-ndjson",
    "index-block": String(block),
    ...(page.nextCursor && { link: `<?${next}>; rel="next"` }),
  });
});

app.use("/graphql", graphql({ db, schema }));
app.use("/sql/*", client({ db, schema }));

/** Codes of PostgreSQL for lost or refused connections and held locks, and of Node.js for socket errors. */
const CONNECTION_LOST_CODES = /^((08|28|3D|53|57)...|55000|55P03|E[A-Z]+)$/;

/** Responds to database errors with a problem that reveals no details of this machine. */
app.onError((error, context) => {
  if (error instanceof InvalidCursorError) {
    const problems = [{ parameter: "cursor", message: error.message }];
    return problem(context, 400, "invalid-cursor", invalid, problems);
  }
  const causes = [error, error.cause] as { code?: unknown; message?: string }[];
  const isLost = causes.some(
    (cause) =>
      CONNECTION_LOST_CODES.test(String(cause?.code)) ||
      /connection|timeout exceeded/i.test(String(cause?.message)),
  );
  console.error(
    JSON.stringify({ level: "error", event: "request failed", path: context.req.path, error: String(error) }),
  );
  return isLost
    ? problem(context, 503, "database-unavailable", "The index's database is unavailable.")
    : problem(context, 500, "internal-error", "The indexer failed.");
});

export default app;
