import { parseArgs } from "node:util";
import { isIssuerAction, readIssuerCall } from "./deployment/issuerCall.ts";
import { openDeployment } from "./deployment/openDeployment.ts";
import { callResolver, issuerLine, ownershipLine, readOwnership } from "./deployment/resolverCall.ts";
import { runScript, ScriptError } from "./deployment/runScript.ts";

const usage = `node scripts/issuers.ts [list] --network <name>
node scripts/issuers.ts add <issuer> --network <name>
node scripts/issuers.ts retire <issuer> --network <name>
node scripts/issuers.ts distrust <issuer> --since <time> --network <name>
node scripts/issuers.ts end <issuer> --did <did> (--controller <address> | --data-hash <hash>) --network <name>

Lists, adds, retires or distrusts issuers of the resolver that DEPLOYMENT_FILE, else deployments/<chainId>.json, names,
or ends a single statement of an issuer that is not active any more. <time> is like 2026-01-31T12:00:00Z, or Unix
seconds. All but the list is up to the resolver's owner: without its key, the transaction is printed to be proposed to it.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: {
      network: { type: "string", default: "localhost" },
      help: { type: "boolean", short: "h", default: false },
      since: { type: "string" },
      did: { type: "string" },
      controller: { type: "string" },
      "data-hash": { type: "string" },
    },
    allowPositionals: true,
  });
  const { network: networkName, help, ...options } = values;
  if (help) return console.log(usage);
  const [action = "list", account, ...more] = positionals;
  const isCall = isIssuerAction(action);
  const isList = action === "list" && Object.keys(options).length === 0;
  if (!(isCall || isList) || isCall !== (account !== undefined) || more.length > 0) {
    throw new ScriptError(`Usage: ${usage.split("\n\n")[0]}`);
  }
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
