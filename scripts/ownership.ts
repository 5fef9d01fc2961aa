import { parseArgs } from "node:util";
import { openDeployment } from "./deployment/deploymentFile.ts";
import { runScript } from "./deployment/openNetwork.ts";
import { callResolver, readOwnership } from "./deployment/resolverCall.ts";
import { accountSchema } from "./deployment/settings.ts";

const usage = `pnpm run ownership [show | offer <address> | accept] --network <name>

Shows, offers or accepts the ownership of the resolver in DEPLOYMENT_FILE, or else in deployments/<chainId>.json.
Only the owner can offer it, and only the offered account can accept it. Without that account's key, the script prints
the transaction to propose. A new offer replaces the previous one. An offer to the owner withdraws it.`;

await runScript(async () => {
  const { values, positionals } = parseArgs({
    options: {
      network: { type: "string", default: "localhost" },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return console.log(usage);
  const [action = "show", text, ...more] = positionals;
  const isKnown = ["show", "offer", "accept"].includes(action);
  if (!isKnown || (action === "offer") !== (text !== undefined) || more.length > 0) {
    throw new Error(`Usage: ${usage.split("\n")[0]}`);
  }
  const newOwner = text === undefined ? undefined : accountSchema.parse(text);
  const accounts = action === "show" ? "unused" : "optional";
  const { deployment, ...network } = await openDeployment(values.network, accounts);
  const { owner, pendingOwner } = await readOwnership(network, deployment);
  if (newOwner) {
    const call = { name: "transferOwnership", args: [newOwner] } as const;
    await callResolver(network, deployment, call, owner, console.log);
  } else if (action === "accept") {
    if (!pendingOwner) {
      throw new Error(`There is nothing to accept: ${owner} owns the resolver and has not offered it.`);
    }
    await callResolver(network, deployment, { name: "acceptOwnership", args: [] }, pendingOwner, console.log);
  }
  console.log((await readOwnership(network, deployment)).line);
});
