import {
  type AppRegistryClient,
  compareVersions,
  type PreparedCall,
  readRegistered,
  traitHash,
} from "@app-registry/sdk";
import type { Address, Hex } from "viem";
import { estimateContractGas, getGasPrice } from "viem/actions";
import type { Order } from "./submission.ts";

function mintParameters(order: Order) {
  const {
    did,
    version,
    interfaces,
    dataUrl,
    dataHash,
    algorithm,
    metadataJson,
    contractId,
    fungibleTokenId,
  } = order;
  const traitHashes = order.traits.map(traitHash);
  return {
    did,
    version,
    interfaces,
    dataUrl,
    dataHash,
    dataHashAlgorithm: algorithm,
    traitHashes,
    metadataJson,
    contractId,
    fungibleTokenId,
  };
}

function updateParameters(order: Order) {
  const { contractId: _unchanged, fungibleTokenId: _kept, ...parameters } = mintParameters(order);
  return parameters;
}

/** Whether the chain records exactly what an order publishes as the latest version of its major. */
export async function isPublished(
  client: AppRegistryClient,
  { did, version, dataHash }: Order,
): Promise<boolean> {
  const { record } = await readRegistered(client, { did, major: version.major });
  return (
    record !== undefined && compareVersions(record.version, version) === 0 && record.dataHash === dataHash
  );
}

/** What publishing an order costs: gas units, and wei at the present gas price. */
export interface Cost {
  gas: bigint;
  wei: bigint;
}

/**
 * Runs the transaction without sending it and says what it costs.
 * @throws Whatever the chain answers; pass it through `toAppRegistryError`.
 */
export async function estimateCost(client: AppRegistryClient, order: Order): Promise<Cost> {
  const call =
    order.kind === "mint"
      ? client.prepareMint(mintParameters(order))
      : client.prepareUpdateAppControlled(updateParameters(order));
  return costOf(client, call, order.account);
}

/** What a call costs the account that sends it. */
export async function costOf(client: AppRegistryClient, call: PreparedCall, account: Address): Promise<Cost> {
  const [gas, gasPrice] = await Promise.all([
    estimateContractGas(client.publicClient, { ...call, account }),
    getGasPrice(client.publicClient),
  ]);
  return { gas, wei: gas * gasPrice };
}

/** Has the wallet sign and send an order; resolves with the transaction hash, before it is mined. */
export function sendOrder(client: AppRegistryClient, order: Order): Promise<Hex> {
  return order.kind === "mint"
    ? client.mint(mintParameters(order))
    : client.updateAppControlled(updateParameters(order));
}
