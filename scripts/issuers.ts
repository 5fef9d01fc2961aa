import { parseArgs } from "node:util";
import { isoTime } from "@app-registry/sdk/internal";
import { openDeployment } from "./deployment/deploymentFile.ts";
import { affectedLine, issuerCommandSchema, readAffected } from "./deployment/issuerStatements.ts";
import { runScript } from "./deployment/openNetwork.ts";
import { callResolver, createClient, issuerLine, readOwnership } from "./deployment/resolverCall.ts";
import { defaultPostgresDirectory, findPostgres } from "./stack/postgres.ts";

const usage = `pnpm run issuers [list] --network <name>
pnpm run issuers add <issuer> --network <name>
pnpm run issuers retire <issuer> --network <name>
pnpm run issuers distrust <issuer> --since <time> --network <name>
pnpm run issuers end <issuer> --did <did> (--controller <address> | --data-hash <hash>) --network <name>
pnpm run issuers affected <issuer> --since <time> [--json] --network <name>
pnpm run issuers reattest --from <issuer> [--env-file <file>]

Lists, adds, retires or distrusts issuers of the resolver in DEPLOYMENT_FILE, or else in deployments/<chainId>.json. Also
ends a single statement of an inactive issuer. <time> is like 2026-01-31T12:00:00Z, or in Unix seconds. Only the
resolver's owner can make changes. Without its key, the script prints the transaction to propose. affected lists an
issuer's statements since a time and the blocks made since, with their effect now. reattest makes the issuer of the web
app's settings, which the file may contain, verify and attest what a retired or distrusted issuer attested. It uses the
PostgreSQL that start runs, unless DATABASE_URL names another. With DATABASE_URL, affected knows more DIDs.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: {
      network: { type: "string", default: "localhost" },
      help: { type: "boolean", short: "h", default: false },
      since: { type: "string" },
      did: { type: "string" },
      controller: { type: "string" },
      "data-hash": { type: "string" },
      json: { type: "boolean" },
      from: { type: "string" },
      "env-file": { type: "string" },
    },
    allowPositionals: true,
  });
  const { network: name, help, "env-file": environmentFile, ...options } = values;
  if (help) return console.log(usage);
  const [action = "list", issuer, ...more] = positionals;
  if (more.length > 0) throw new Error(`Usage: ${usage.split("\n\n")[0]}`);
  const command = issuerCommandSchema.parse({ action, ...(issuer && { issuer }), ...options });

  if (command.action === "reattest") {
    if (environmentFile) process.loadEnvFile(environmentFile);
    process.env.DATABASE_URL ||=
      (await findPostgres(process.env.POSTGRES_DIR || defaultPostgresDirectory)) ?? "";
    // Load the server's modules only for this action.
    const { reattest } = await import("./deployment/reattest.ts");
    if ((await reattest(command.from, console.log)) > 0) process.exitCode = 1;
    return;
  }
  const { deployment, ...network } = await openDeployment(
    name,
    command.action === "call" ? "optional" : "unused",
  );
  const client = createClient(network, deployment);
  if (command.action === "affected") {
    const source = { client, issuer: command.issuer, databaseUrl: process.env.DATABASE_URL };
    const affected = await readAffected(source, command.since);
    if (command.json) return console.log(JSON.stringify(affected, null, 2));
    for (const statement of affected) console.log(affectedLine(statement));
    return console.log(
      `Statements of ${command.issuer} and blocks since ${isoTime(command.since)}: ${affected.length}.`,
    );
  }
  const { owner, line } = await readOwnership(network, deployment);
  if (command.action === "call") {
    await callResolver(network, deployment, command, owner, console.log);
  }
  console.log(line);
  const { address } = deployment.contracts.ResolverWithStore;
  console.log(`Issuers of ${address} on ${network.name} (chain ${network.chainId}), in at most 16 seats:`);
  for (const state of await client.getIssuers()) console.log(issuerLine(state));
});
