import type {
  Abi,
  Address,
  Client,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  Hex,
} from "viem";
import { type ReadContractParameters, readContract } from "viem/actions";
import type { resolverAbi } from "../abi/index.ts";
import { abis, type Deployment } from "../deployment.ts";
import { hashCanonicalDid, normalizeDid } from "../did.ts";
import { toRpcError } from "../errors/toAppRegistryError.ts";

/** Deployment and clients that every function of the client uses. */
export type ClientContext = {
  deployment: Deployment;
  /**
   * Reads the chain: a viem PublicClient, or any viem Client with a transport. In an {@link AppRegistryClient} it
   * responds only while its RPC serves the deployment's chain.
   */
  publicClient: Client;
  /** Signs and sends: a viem WalletClient. Needed for writes only. */
  walletClient?: Client | undefined;
  /** Origin of the registry's web service; only `waitUntilIndexed` and `publishApp` use it. */
  baseUrl?: string | undefined;
};

/** Block at which to read, so that several reads agree. Default: the latest. */
export type BlockParameter = { blockNumber?: bigint | undefined };

/** Contract call that can be previewed, batched, simulated or sent. */
export type PreparedCall = {
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
};

/**
 * Returns the didHash of a DID that a person typed.
 *
 * @throws {InvalidDidError}
 */
export const toDidHash = (did: string): Hex => hashCanonicalDid(normalizeDid(did));

export type RecordParameters = { did: string; major: number };
export type ControllerParameters = { did: string; controller: Address };
export type DataHashParameters = { did: string; dataHash: Hex };

export const toRecordArgs = ({ did, major }: RecordParameters) => [normalizeDid(did), major] as const;
export const toControlArgs = ({ did, controller }: ControllerParameters) =>
  [toDidHash(did), controller] as const;
export const toDataHashArgs = ({ did, dataHash }: DataHashParameters) => [toDidHash(did), dataHash] as const;

/** ABIs of the contracts, by name. */
export type Abis = typeof abis;

type Contract<contract extends keyof Abis> = { readonly address: Address; readonly abi: Abis[contract] };

/** Call of a function of one of the contracts. */
export type ContractCall<contract extends keyof Abis, name, args> = Contract<contract> & {
  readonly functionName: name;
  readonly args: args;
};

export const getContract = <contract extends keyof Abis>(
  { deployment }: ClientContext,
  contract: contract,
): Contract<contract> => ({ address: deployment.contracts[contract].address, abi: abis[contract] });

export const registryContract = (context: ClientContext) => getContract(context, "AppRegistry");

export const resolverContract = (context: ClientContext) => getContract(context, "ResolverWithStore");

type View = "pure" | "view";

/**
 * Calls a view function of one of the contracts.
 *
 * @throws {AppRegistryError} for every failure.
 */
export async function callView<
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], View>,
  const args extends ContractFunctionArgs<Abis[contract], View, name>,
>(
  context: ClientContext,
  contract: contract,
  functionName: name,
  args: args,
  { blockNumber }: BlockParameter = {},
): Promise<ContractFunctionReturnType<Abis[contract], View, name, args>> {
  try {
    const parameters = {
      ...getContract(context, contract),
      functionName,
      args,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    };
    const result = await readContract(context.publicClient, parameters as unknown as ReadContractParameters);
    return result as ContractFunctionReturnType<Abis[contract], View, name, args>;
  } catch (error) {
    throw toRpcError(error);
  }
}

export type Raw<
  name extends "getBlock" | "getChallenge" | "getController" | "getDIDAttestations" | "getIssuer",
> = ContractFunctionReturnType<typeof resolverAbi, "view", name>;

/** Converts a time of the contracts to Unix seconds. Returns `undefined` for 0, which means no time. */
export const toUnixTime = (time: bigint): number | undefined => (time === 0n ? undefined : Number(time));
