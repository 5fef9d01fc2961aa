import { once } from "@app-registry/server/async";
import { watchHealth } from "@app-registry/server/checkHealth";
import { connect } from "@app-registry/server/connections";
import { readEnvironment } from "@app-registry/server/environment";
import type { Health, HealthProblemCode } from "@app-registry/server/health";
import { startIssuer } from "@app-registry/server/issuer";
import { createOperations, serveOperations } from "@app-registry/server/operations";
import { startOrExit, warn } from "@app-registry/server/startup";
import { startDocumentWorker } from "./startDocumentWorker.ts";

/**
 * Runs the background work: reads the documents at dataUrls, probes services and, with an issuer's key, rechecks its
 * attestations. Several such processes may share one PostgreSQL: all read and probe, one rechecks.
 */
const connections = once(() => connect(readEnvironment(process.env, "worker")));
const issuer = once(() => startIssuer(connections()));

/** Problems that stop only the worker. */
const hindrances: ReadonlySet<HealthProblemCode> = new Set(["issuer-out-of-funds", "issuer-unavailable"]);
const canWork = ({ status, problems }: Health) =>
  status !== "down" && !problems.some(({ code }) => hindrances.has(code));

const prepare = once(async () => {
  const { environment } = connections();
  warn(environment);
  await serveOperations(environment, createOperations(watchHealth(connections(), issuer), canWork));
  if (environment.readsOffchainDocuments) startDocumentWorker(environment);
  return environment;
});

await startOrExit(async () => {
  const { issuerAccount } = await prepare();
  if (issuerAccount) (await issuer()).revalidation?.start();
});
// Keep the process alive: the health server and the pools don't, and there may be no document or issuer to work for.
setInterval(() => undefined, 2 ** 30);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
