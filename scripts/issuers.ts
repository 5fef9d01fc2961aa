import { parseArgs } from "node:util";
import { network } from "hardhat";
import { getAddress } from "viem";
import { deploymentFilePath, readDeployment } from "./deployment/deploymentFile.ts";

const usage = `node scripts/issuers.ts [list | add <address> | remove <address>] --network <name>

Lists, authorises or removes issuers of the resolver that DEPLOYMENT_FILE, else deployments/<chainId>.json, names.
Adding and removing is the resolver's owner's: it must be the network's first account.`;

const { values, positionals } = parseArgs({
  options: { network: { type: "string", default: "localhost" }, help: { type: "boolean", short: "h" } },
  allowPositionals: true,
});
const [action = "list", account] = positionals;

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  if (!["list", "add", "remove"].includes(action) || (action !== "list" && account === undefined)) {
    throw new Error(usage);
  }
  const { ethers } = await network.create(values.network);
  const chainId = Number((await ethers.provider.getNetwork()).chainId);
  const file = deploymentFilePath(chainId);
  const deployment = await readDeployment(file);
  if (!deployment) throw new Error(`There is no ${file}: deploy first, or set DEPLOYMENT_FILE`);

  const { address } = deployment.contracts.ResolverWithStore;
  const resolver = await ethers.getContractAt("ResolverWithStore", address);
  if (account !== undefined) {
    const issuer = getAddress(account);
    const transaction =
      action === "add" ? await resolver.addIssuer(issuer) : await resolver.removeIssuer(issuer);
    await transaction.wait();
  }
  console.log(`Issuers of ${address} on ${values.network} (chain ${chainId}), at most 16:`);
  for (const issuer of await resolver.getIssuers()) {
    console.log(`${issuer}  authorisation ${await resolver.issuerEpoch(issuer)}`);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
