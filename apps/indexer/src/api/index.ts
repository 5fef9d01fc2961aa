import { db } from "ponder:api";
import schema from "ponder:schema";
import { Hono } from "hono";
import { client, graphql } from "ponder";
import { startOperations } from "./operations.ts";

const app = new Hono();
await startOperations();

app.use("/graphql", graphql({ db, schema }));
app.use("/sql/*", client({ db, schema }));

/** Responds to database errors with a problem that reveals no details of this machine. */
app.onError((error, context) => {
  console.error(
    JSON.stringify({
      level: "error",
      event: "request failed",
      path: context.req.path,
      error: String(error.cause ?? error),
    }),
  );
  return context.json(
    { type: "about:blank", title: "The indexer failed.", status: 500, code: "internal-error" },
    500,
  );
});

export default app;
