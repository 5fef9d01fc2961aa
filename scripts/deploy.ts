import { network } from "hardhat";
import { deploy } from "./deployment/deploy.ts";

/**
 * Deploys the contracts to a network of hardhat.config.ts:
 *
 *     pnpm exec hardhat run scripts/deploy.ts --network testnet
 *
 * Environment: `ISSUER_ADDRESS` (one or more, comma-separated; default the deployer of new contracts), `MATURATION`
 * (seconds; default 3600 on chain 31337, 172800 elsewhere), `OWNER_ADDRESS` (offered the resolver's ownership),
 * `DEPLOYMENT_FILE`.
 */
const { ISSUER_ADDRESS, MATURATION, OWNER_ADDRESS } = process.env;

const connection = await network.getOrCreate();
if (connection.networkConfig.type === "edr-simulated") {
  throw new Error("This network ends with the script. Choose a lasting one: --network localhost");
}
const deployment = await deploy({
  connection,
  ...(ISSUER_ADDRESS ? { issuers: ISSUER_ADDRESS.split(",").map((issuer) => issuer.trim()) } : {}),
  ...(MATURATION ? { maturation: BigInt(MATURATION) } : {}),
  ...(OWNER_ADDRESS ? { owner: OWNER_ADDRESS } : {}),
  onProgress: (message) => console.log(message),
});
for (const [name, { address }] of Object.entries(deployment.contracts)) {
  console.log(`${name.padEnd(18)} ${address}`);
}
