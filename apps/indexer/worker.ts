import { watchHealth } from "@app-registry/server/checkHealth";
import { connect } from "@app-registry/server/connections";
import { readEnvironment } from "@app-registry/server/environment";
import type { Health, HealthProblemCode } from "@app-registry/server/health";
import { startIssuer } from "@app-registry/server/issuer";
import { once } from "@app-registry/server/once";
import { createOperations, serveOperations } from "@app-registry/server/operations";
import { startOrExit, warn } from "@app-registry/server/startup";
import { startDocumentWorker } from "./offchain/startDocumentWorker.ts";

/**
 * What nobody asks for, in a process of its own (BACKGROUND_WORK=worker): it reads the documents at dataUrls and checks
 * again what the issuer attested. Any number of such processes may run on one PostgreSQL; one works, and another takes over.
 */
const connections = once(() => connect(readEnvironment(process.env, "worker")));
const issuer = once(() => startIssuer(connections()));

/** What keeps the worker, and nothing else, from its work. */
const hindrances: ReadonlySet<HealthProblemCode> = new Set(["issuer-out-of-funds", "issuer-unavailable"]);
const canWork = ({ status, problems }: Health) =>
  status !== "down" && !problems.some(({ code }) => hindrances.has(code));

const prepare = once(async () => {
  const { environment } = connections();
  warn(environment);
  await serveOperations(environment, createOperations(watchHealth(connections(), issuer), canWork));
  if (environment.readsOffchainDocuments) {
    startDocumentWorker({ environment, indexSchema: environment.databaseSchema });
  }
  return environment;
});

await startOrExit(async () => {
  const { issuerAccount } = await prepare();
  if (issuerAccount) (await issuer()).revalidation?.start();
});
// The server of probes and the pools keep no process alive, and there may be neither documents nor an issuer now.
setInterval(() => undefined, 2 ** 30);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
