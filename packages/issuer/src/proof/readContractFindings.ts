import { type ContractAddress, type Finding, UnusableAddressError } from "@app-registry/outbound";
import { Interfaces, metadataSchema } from "@app-registry/sdk";
import { type Address, decodeAbiParameters, type Hex, type PublicClient, zeroAddress } from "viem";
import { readContractControl } from "./contractControl.ts";
import { type PinnedContract, readCodeKind, tryCall, wrapRpcErrors } from "./contractReads.ts";

/** Selector of `name()`, which tokens and many other contracts implement. */
const NAME = "0x06fdde03";

/** Chains with a configured RPC. */
export type ReadableChains = {
  chainIds: readonly number[];
  chainClient: (chainId: number) => PublicClient | undefined;
};

/**
 * Reads the contracts at an address: one finding per chain that has code there, with the contract's `name()` and the
 * account that `owner()` or a similar method returns. Skips an account that delegates to code (EIP-7702).
 *
 * @throws {UnusableAddressError} if the chain is not configured.
 * @throws {RpcUnavailableError} if a chain does not respond.
 * @example
 * const { address } = deployment.contracts.AppRegistry;
 * const chains = { chainIds: [deployment.chainId], chainClient: () => publicClient };
 * const [finding] = await readContractFindings({ chainId: undefined, address }, chains);
 * finding?.metadata; // { name: "App Registry" }
 */
export async function readContractFindings(
  { chainId, address }: ContractAddress,
  chains: ReadableChains,
): Promise<Finding[]> {
  const asked = chains.chainIds.filter((id) => chainId === undefined || id === chainId);
  if (asked.length === 0) {
    throw new UnusableAddressError(
      address,
      `This registry can't read chain ${chainId}. Supported: ${formatChainList(chains)}.`,
    );
  }
  const findings = await Promise.all(asked.map((id) => readContract(id, chains.chainClient(id), address)));
  return findings.filter((finding) => finding !== undefined);
}

const formatChainList = ({ chainIds }: ReadableChains): string =>
  new Intl.ListFormat("en").format(chainIds.map((id) => `chain ${id}`));

async function readContract(
  chainId: number,
  client: PublicClient | undefined,
  address: Address,
): Promise<Finding | undefined> {
  if (!client) return undefined;
  const blockNumber = await wrapRpcErrors(client.getBlockNumber({ cacheTime: 0 }));
  const contract: PinnedContract = { client, blockNumber, address };
  if ((await readCodeKind(contract)) !== "contract") return undefined;
  const [name, { owner }] = await Promise.all([
    readName(contract),
    readContractControl({ client, chainId, address, controller: zeroAddress }),
  ]);
  return {
    kind: "contract",
    url: `did:pkh:eip155:${chainId}:${address.toLowerCase()}`,
    metadata: name === undefined ? {} : { name },
    interfaces: Interfaces.Contract,
    offers: [],
    ...(owner && { owner }),
  };
}

/** Reads `name()`. Returns `undefined` if the result is not a valid name for a metadata JSON. */
async function readName(contract: PinnedContract): Promise<string | undefined> {
  const data = await tryCall(contract, NAME);
  const name = data && decodeText(data)?.trim();
  return name && metadataSchema.shape.name.safeParse(name).success ? name : undefined;
}

function decodeText(data: Hex): string | undefined {
  try {
    return decodeAbiParameters([{ type: "string" }], data)[0];
  } catch {
    return undefined;
  }
}
