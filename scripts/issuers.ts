import { parseArgs } from "node:util";
import { createAppRegistryClient } from "@app-registry/sdk";
import { createPublicClient, custom } from "viem";
import { isIssuerAction, parseSince, readIssuerCall } from "./deployment/issuerCall.ts";
import { affectedLine, readAffected } from "./deployment/issuerStatements.ts";
import { openDeployment } from "./deployment/openDeployment.ts";
import { callResolver, issuerLine, ownershipLine, readOwnership } from "./deployment/resolverCall.ts";
import { runScript, ScriptError } from "./deployment/runScript.ts";
import { parseAccount } from "./deployment/settings.ts";

const usage = `node scripts/issuers.ts [list] --network <name>
node scripts/issuers.ts add <issuer> --network <name>
node scripts/issuers.ts retire <issuer> --network <name>
node scripts/issuers.ts distrust <issuer> --since <time> --network <name>
node scripts/issuers.ts end <issuer> --did <did> (--controller <address> | --data-hash <hash>) --network <name>
node scripts/issuers.ts affected <issuer> --since <time> [--json] --network <name>
node scripts/issuers.ts reattest --from <issuer>

Lists, adds, retires or distrusts issuers of the resolver that DEPLOYMENT_FILE, else deployments/<chainId>.json, names,
or ends a single statement of an issuer that is not active any more. <time> is like 2026-01-31T12:00:00Z, or Unix
seconds. These changes are up to the resolver's owner: without its key, the transaction is printed to be proposed to it.
affected lists what an issuer stated since a time, and what that is worth now. reattest has the issuer of the web app's
settings verify and attest what a retired or distrusted issuer attested. Both read more DIDs with DATABASE_URL.`;

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
    },
    allowPositionals: true,
  });
  const { network: networkName, help, json, from, ...options } = values;
  if (help) return console.log(usage);
  const [action = "list", account, ...more] = positionals;
  const wrongUsage = () => new ScriptError(`Usage: ${usage.split("\n\n")[0]}`);
  if (more.length > 0) throw wrongUsage();
  const hasOnly = (...names: string[]) =>
    Object.keys({ ...options, ...(json && { json }), ...(from && { from }) }).every((name) =>
      names.includes(name),
    );

  if (action === "reattest" && account === undefined && from !== undefined && hasOnly("from")) {
    return reattestFrom(from);
  }
  if (action === "affected" && account !== undefined && hasOnly("since", "json")) {
    return listAffected(networkName, account, options.since, json);
  }
  if (json !== undefined || from !== undefined) throw wrongUsage();
  const isCall = isIssuerAction(action);
  const isList = action === "list" && hasOnly();
  if (!(isCall || isList) || isCall !== (account !== undefined)) throw wrongUsage();
  const call = isCall && account !== undefined ? readIssuerCall(action, account, options) : undefined;
  const { deployment, ...network } = await openDeployment(networkName, call ? "optional" : "unused");
  const ownership = await readOwnership(network.connection, deployment);
  if (call) await callResolver(network, deployment, { ...call, from: ownership.owner }, console.log);
  const { address } = deployment.contracts.ResolverWithStore;
  const resolver = await network.connection.ethers.getContractAt("ResolverWithStore", address);
  console.log(ownershipLine(ownership));
  console.log(`Issuers of ${address} on ${network.name} (chain ${network.chainId}), in at most 16 seats:`);
  for (const issuer of await resolver.getIssuers()) console.log(issuerLine(issuer));
});

async function listAffected(networkName: string, account: string, since: string | undefined, json = false) {
  const issuer = parseAccount(account);
  const from = parseSince(since);
  const { deployment, connection } = await openDeployment(networkName, "unused");
  const publicClient = createPublicClient({ transport: custom(connection.provider) });
  const client = createAppRegistryClient({ deployment, publicClient });
  const { DATABASE_URL: databaseUrl } = process.env;
  const affected = await readAffected({ client, publicClient, issuer, databaseUrl }, from);
  if (json) return console.log(JSON.stringify(affected, null, 2));
  for (const statement of affected) console.log(affectedLine(statement));
  console.log(
    `Statements of ${issuer} since ${new Date(Number(from) * 1_000).toISOString()}: ${affected.length}.`,
  );
}

async function reattestFrom(account: string) {
  const issuer = parseAccount(account);
  // The server's parts are loaded only for this.
  const [{ reattest, heldUp }, { connect }, { readEnvironment }] = await Promise.all([
    import("./deployment/reattest.ts"),
    import("../packages/server/src/connections.ts"),
    import("../packages/server/src/environment.ts"),
  ]);
  const registry = connect(readEnvironment(process.env));
  try {
    const again = await reattest(registry, issuer, console.log);
    if (again > 0) process.exitCode = 1;
  } catch (error) {
    const why = heldUp(error);
    throw why ? new ScriptError(why) : error;
  } finally {
    await Promise.all([registry.guardedFetch.close(), registry.database?.end()]);
  }
}
