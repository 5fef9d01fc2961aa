import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { db } from "ponder:api";
import schema, { deploymentBlock } from "ponder:schema";
import { InvalidSearchError, parseDeployment, parseSearchParams, type SearchQuery } from "@app-registry/sdk";
import { Hono } from "hono";
import { client, graphql } from "ponder";
import { isAddress, isHash } from "viem";
import { readEnvironment } from "../../environment.ts";
import { startDocuments } from "./documents.ts";
import { exportQuerySchema, exportRows, isExported } from "./exportRows.ts";
import { jsonText, problem, readParameters } from "./http.ts";
import { indexState } from "./indexState.ts";
import { issuerAttestations, issuerAttestationsQuerySchema } from "./issuerAttestations.ts";
import { keepStatistics } from "./keepStatistics.ts";
import { notReady } from "./notReady.ts";
import { InvalidCursorError } from "./search/cursor.ts";
import { inTurn } from "./search/inTurn.ts";
import { search } from "./search/search.ts";
import { sharedNames, sharedNamesQuerySchema } from "./sharedNames.ts";
import { sqlDatabase } from "./sqlDatabase.ts";
import { versionsOf, versionsQuerySchema } from "./versions.ts";

/** What Hono's server for Node.js hands on; a response is destroyed when its client has gone. */
type Bindings = { outgoing?: ServerResponse };

const app = new Hono<{ Bindings: Bindings }>();
const documentMetrics = await startDocuments();
const { database, deploymentFile } = readEnvironment(process.env);
const { contracts } = parseDeployment(readFileSync(deploymentFile, "utf8"));
const isEmbedded = database.kind === "pglite";
if (isEmbedded) void keepStatistics();

const invalid = "A parameter is not valid.";

app.get("/search", async (context) => {
  let query: SearchQuery;
  try {
    query = parseSearchParams(new URL(context.req.url).searchParams);
  } catch (error) {
    if (!(error instanceof InvalidSearchError)) throw error;
    return problem(context, 400, "invalid-parameter", invalid, error.problems);
  }
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  try {
    const page = await inTurn(
      () => search(query, state),
      () => !context.env?.outgoing?.destroyed,
    );
    return page === undefined ? context.body(null, 503) : jsonText(context, page);
  } catch (error) {
    if (!(error instanceof InvalidCursorError)) throw error;
    const problems = [{ parameter: "cursor", message: error.message }];
    return problem(context, 400, "invalid-cursor", invalid, problems);
  }
});

app.get("/state", async (context) => {
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  const { number, hash } = deploymentBlock;
  const [deployment = null] = await db.select({ number, hash }).from(deploymentBlock);
  const registry = contracts.AppRegistry.address;
  const { block, hash: last, lag } = state;
  return context.json({ block, hash: last, lag, deployment, registry });
});

app.get("/apps/:didHash/versions", async (context) => {
  const didHash = context.req.param("didHash").toLowerCase();
  if (!isHash(didHash)) {
    return problem(context, 400, "invalid-parameter", invalid, [
      { parameter: "didHash", message: "must be 32 bytes in hex" },
    ]);
  }
  const read = readParameters(context, versionsQuerySchema);
  if ("problems" in read) return problem(context, 400, "invalid-parameter", invalid, read.problems);
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  return context.json({ versions: await versionsOf(didHash, read.data), block: state.block });
});

app.get("/shared-names", async (context) => {
  const read = readParameters(context, sharedNamesQuerySchema);
  if ("problems" in read) return problem(context, 400, "invalid-parameter", invalid, read.problems);
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  return context.json({ tokenIds: await sharedNames(read.data.tokenIds), block: state.block });
});

app.get("/issuers/:address/attestations", async (context) => {
  const address = context.req.param("address");
  if (!isAddress(address, { strict: false })) {
    return problem(context, 400, "invalid-parameter", invalid, [
      { parameter: "address", message: "must be 20 bytes in hex" },
    ]);
  }
  const read = readParameters(context, issuerAttestationsQuerySchema);
  if ("problems" in read) return problem(context, 400, "invalid-parameter", invalid, read.problems);
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  return context.json({ ...(await issuerAttestations(address, read.data)), block: state.block });
});

app.get("/export/:table", async (context) => {
  const table = context.req.param("table");
  if (!isExported(table)) return problem(context, 404, "not-found", "There is no such table.");
  const read = readParameters(context, exportQuerySchema);
  if ("problems" in read) return problem(context, 400, "invalid-parameter", invalid, read.problems);
  const state = await indexState();
  if (!state.isReady) return notReady(context, state);
  const page = await exportRows(table, read.data);
  if (!page) {
    const problems = [{ parameter: "cursor", message: "is not a cursor of this table" }];
    return problem(context, 400, "invalid-cursor", invalid, problems);
  }
  const { ndjson, nextCursor } = page;
  return context.body(ndjson, 200, {
    "content-type": "application/x-ndjson",
    "index-block": String(state.block),
    ...(nextCursor && {
      link: `<?${new URLSearchParams({ limit: String(read.data.limit), cursor: nextCursor })}>; rel="next"`,
    }),
  });
});

app.get("/metrics/documents", async (context) => context.text((await documentMetrics?.text()) ?? ""));

app.use("/graphql", graphql({ db, schema }));
app.use("/sql/*", client({ db: isEmbedded ? sqlDatabase() : db, schema }));

/** Codes of PostgreSQL for a connection that ends or is refused, and those of Node's sockets. */
const LOST = /^((08|28|3D|53|57)...|55000|E[A-Z]+)$/;

/** A request that the database could not answer says so, without what the error tells of this machine. */
app.onError((error, context) => {
  const causes = [error, error.cause] as { code?: unknown; message?: string }[];
  const isLost = causes.some(
    (cause) => LOST.test(String(cause?.code)) || /connection|timeout exceeded/i.test(String(cause?.message)),
  );
  console.error(
    JSON.stringify({ level: "error", event: "request failed", path: context.req.path, error: String(error) }),
  );
  return isLost
    ? problem(context, 503, "database-unavailable", "The index's database does not answer.")
    : problem(context, 500, "internal-error", "The indexer could not answer.");
});

export default app;
