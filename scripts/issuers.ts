import { parseArgs } from "node:util";
import { openDeployment } from "./deployment/openDeployment.ts";
import { callResolver, ownershipLine, readOwnership } from "./deployment/resolverCall.ts";
import { runScript, ScriptError } from "./deployment/runScript.ts";
import { parseAccount } from "./deployment/settings.ts";

const usage = `node scripts/issuers.ts [list | add <address> | remove <address>] --network <name>

Lists, authorises or removes issuers of the resolver that DEPLOYMENT_FILE, else deployments/<chainId>.json, names.
Adding and removing is up to the resolver's owner: without its key, the transaction is printed to be proposed to it.`;

const calls = { add: "addIssuer", remove: "removeIssuer" } as const;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: {
      network: { type: "string", default: "localhost" },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return console.log(usage);
  const [action = "list", text, ...more] = positionals;
  const name = action === "add" || action === "remove" ? calls[action] : undefined;
  if ((action !== "list" && !name) || (name === undefined) !== (text === undefined) || more.length > 0) {
    throw new ScriptError(`Usage: ${usage.split("\n")[0]}`);
  }
  const account = text === undefined ? undefined : parseAccount(text);
  const { deployment, ...network } = await openDeployment(values.network, name ? "optional" : "unused");
  const ownership = await readOwnership(network.connection, deployment);
  if (name && account) {
    const call = { name, args: [account], from: ownership.owner };
    await callResolver(network, deployment, call, console.log);
  }
  const { address } = deployment.contracts.ResolverWithStore;
  const resolver = await network.connection.ethers.getContractAt("ResolverWithStore", address);
  console.log(ownershipLine(ownership));
  console.log(`Issuers of ${address} on ${network.name} (chain ${network.chainId}), at most 16:`);
  for (const issuer of await resolver.getIssuers()) {
    console.log(`${issuer}  authorisation ${await resolver.issuerEpoch(issuer)}`);
  }
});
