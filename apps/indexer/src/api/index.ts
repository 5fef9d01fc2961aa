import type { ServerResponse } from "node:http";
import { db } from "ponder:api";
import schema from "ponder:schema";
import { exportQuerySchema, exportRows } from "@app-registry/index/exportRows";
import { issuerAttestations, issuerAttestationsQuerySchema } from "@app-registry/index/issuerAttestations";
import { liveQuerySchema, liveRecord, requestProbe } from "@app-registry/index/live";
import { type IndexState, IndexUnavailableError } from "@app-registry/index/openIndex";
import { changesQuerySchema, recentChanges } from "@app-registry/index/recentChanges";
import { InvalidCursorError } from "@app-registry/index/search/cursor";
import { search } from "@app-registry/index/search/search";
import type { Session } from "@app-registry/index/session";
import { sharedNames, sharedNamesQuerySchema } from "@app-registry/index/sharedNames";
import { deploymentBlock } from "@app-registry/index/tables";
import { listVersions, versionsQuerySchema } from "@app-registry/index/versions";
import { searchQuerySchema } from "@app-registry/sdk";
import { readDeployment } from "@app-registry/server/deployment";
import { type Context, Hono } from "hono";
import { client, graphql } from "ponder";
import { z } from "zod";
import { environment } from "../../environment.ts";
import { getWorkerSettings } from "../../worker/settings.ts";
import { getChainHead, getLag } from "./getChainHead.ts";
import { jsonText, problem, readParameters } from "./http.ts";
import { index, probeQueue } from "./openedIndex.ts";
import { startOperations } from "./operations.ts";

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

/** Registers a GET route. Requests with invalid parameters get 400, and 503 while the index is being built. */
function get<Query>(
  path: string,
  schema: z.core.$ZodType<Query>,
  answer: (
    context: Context<Env>,
    query: Query,
    session: Session,
    state: Ready,
  ) => Response | Promise<Response>,
) {
  app.get(path, async (context) => {
    const query = readParameters(context, schema);
    if ("problems" in query) return problem(context, 400, "invalid-parameter", invalid, query.problems);
    const closed = new AbortController();
    context.env?.outgoing?.once("close", () => closed.abort());
    return index.read(
      async (session, state) =>
        state.isReady ? answer(context, query.data, session, state) : respondNotReady(context, state),
      closed.signal,
    );
  });
}

get("/search", searchQuerySchema, async (context, query, session, { block }) =>
  jsonText(context, await search(session, query, { block, lag: await getLag(block) }), {
    "index-block": String(block),
  }),
);

get("/state", z.object({}), async (context, _query, session, { block, hash: last }) => {
  const { number, hash } = deploymentBlock;
  const [deployment = null] = await session.db.select({ number, hash }).from(deploymentBlock);
  return context.json({
    ...{ block, hash: last, lag: await getLag(block), deployment },
    registry: contracts.AppRegistry.address,
  });
});

get("/apps/:didHash/versions", versionsQuerySchema, async (context, query, session, { block }) =>
  context.json({ versions: await listVersions(session, query), block }),
);

get("/shared-names", sharedNamesQuerySchema, async (context, { tokenIds }, session, { block }) =>
  context.json({ tokenIds: await sharedNames(session, tokenIds), block }),
);

get(
  "/issuers/:address/attestations",
  issuerAttestationsQuerySchema,
  async (context, query, session, { block }) =>
    context.json({ ...(await issuerAttestations(session, query)), block }),
);

const NO_RECORD = "Record not found.";

get("/live/:didHash/:major", liveQuerySchema, async (context, query, session) => {
  const record = await liveRecord(session, query);
  return record ? context.json(record) : problem(context, 404, "not-found", NO_RECORD);
});

const { betweenChecks } = getWorkerSettings(environment.chainId);

app.post("/live/:didHash/:major", async (context) => {
  const query = readParameters(context, liveQuerySchema);
  if ("problems" in query) return problem(context, 400, "invalid-parameter", invalid, query.problems);
  return index.read(async (session, state) => {
    if (!state.isReady) return respondNotReady(context, state);
    const asking = { now: Date.now() / 1_000, betweenChecks, queue: probeQueue };
    const checked = await requestProbe(session, query.data, asking);
    if (checked === "not-found") return problem(context, 404, checked, NO_RECORD);
    if (checked === "not-asked") return problem(context, 409, checked, "This record is not checked.");
    if ("nextAt" in checked) return context.json(checked, 202);
    context.header("retry-after", String(checked.retryAfter));
    return problem(context, 429, "asked-recently", "This version was checked recently.");
  });
});

get("/changes", changesQuerySchema, async (context, query, session) =>
  context.json(await recentChanges(session, query)),
);

get("/export/:table", exportQuerySchema, async (context, query, session, { block }) => {
  const page = await exportRows(session, query);
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

/** Responds to database errors with a problem that reveals no details of this machine. */
app.onError((error, context) => {
  if (error instanceof InvalidCursorError) {
    const problems = [{ parameter: "cursor", message: error.message }];
    return problem(context, 400, "invalid-cursor", invalid, problems);
  }
  console.error(
    JSON.stringify({
      level: "error",
      event: "request failed",
      path: context.req.path,
      error: String(error.cause ?? error),
    }),
  );
  return error instanceof IndexUnavailableError
    ? problem(context, 503, "database-unavailable", "The index's database is unavailable.")
    : problem(context, 500, "internal-error", "The indexer failed.");
});

export default app;
