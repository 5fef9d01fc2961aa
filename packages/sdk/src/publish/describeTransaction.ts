import { type Address, decodeFunctionData, formatUnits, type Hex, isAddressEqual, zeroHash } from "viem";
import { estimateContractGas, getGasPrice } from "viem/actions";
import { appRegistryAbi, resolverAbi } from "../abi/index.ts";
import { checkArguments } from "../arguments.ts";
import { defaultCurrency } from "../client/calls.ts";
import { type ClientContext, getContract, type PreparedCall } from "../client/context.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { explainNotRegistered } from "../client/notRegistered.ts";
import type { Deployment } from "../deployment.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { isoTime } from "../isoTime.ts";
import { type AppStatus, appStatusLabels } from "../recordEnums.ts";
import { formatVersion } from "../version.ts";

/** Cost of a call at the current gas price. */
export interface CallCost {
  /** Gas limit estimate, in gas units. */
  gas: bigint;
  /** Gas price, in wei per gas unit. */
  gasPrice: bigint;
}

/**
 * Simulates a call by an account and estimates its current cost.
 *
 * @throws {ContractRevertError} with the reason, when the contract would refuse.
 * @example
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * const { gas } = await estimateCall(client, call, controller);
 * gas > 21_000n; // true
 */
export async function estimateCall(
  client: AppRegistryClient,
  call: PreparedCall,
  account: Address,
): Promise<CallCost> {
  checkArguments("client account", { client, account });
  checkArguments("address args", call);
  try {
    const [gas, gasPrice] = await Promise.all([
      estimateContractGas(client.publicClient, { ...call, account }),
      getGasPrice(client.publicClient),
    ]);
    return { gas, gasPrice };
  } catch (error) {
    throw await explainNotRegistered(client, call.args, toAppRegistryError(error));
  }
}

/**
 * Formats the cost of a call, such as `about 51,204 gas, 0.00008193 ETH`.
 *
 * @example
 * describeCost(client, { gas: 50_000n, gasPrice: 10n ** 9n }); // "about 50,000 gas, 0.00005 ETH"
 */
export function describeCost(client: AppRegistryClient, cost: CallCost): string {
  checkArguments("client", { client });
  checkArguments("gas gasPrice", cost);
  const { gas, gasPrice } = cost;
  const currency = client.publicClient.chain?.nativeCurrency ?? defaultCurrency;
  return `about ${gas.toLocaleString("en")} gas, ${formatFee(gas * gasPrice, currency)}`;
}

/**
 * Formats an amount of wei with four significant digits.
 *
 * @example
 * formatFee(641_415_347_351_592n); // "0.0006414 ETH"
 */
export function formatFee(wei: bigint, { symbol, decimals } = defaultCurrency): string {
  checkArguments("wei", { wei });
  const amount = Number(formatUnits(wei, decimals));
  return `${amount.toLocaleString("en", { maximumSignificantDigits: 4, maximumFractionDigits: 18 })} ${symbol}`;
}

/** Gas of a version that stores no JSON, as measured in `docs/contracts.md`. A publisher's first record needs more. */
const RECORD_GAS = { mint: 230_000n, update: 56_000n };

/**
 * Estimates the cost in wei of a publication that stores only the hash of a JSON, and of one that also stores the JSON.
 * Needs no control of a DID: simulates the registry's own call of the metadata store. Rejects if the JSON is too large.
 */
export async function estimateStorageCost(
  context: ClientContext,
  { json, isUpdate }: { json: string; isUpdate: boolean },
): Promise<{ hash: bigint; chain: bigint }> {
  const args = ["", zeroHash, 1, 0, 0, zeroHash, 0, json, true] as const;
  const account = context.deployment.contracts.AppRegistry.address;
  const call = {
    ...getContract(context, "AppMetadata"),
    functionName: "setMetadata",
    args,
    account,
  } as const;
  const [gas, price] = await Promise.all([
    estimateContractGas(context.publicClient, call),
    getGasPrice(context.publicClient),
  ]);
  const hash = isUpdate ? RECORD_GAS.update : RECORD_GAS.mint;
  return { hash: hash * price, chain: (hash + gas) * price };
}

/** Description of a transaction in plain words. */
export interface TransactionDescription {
  /** Effect of the transaction, as a sentence. */
  sentence: string;
  /** Further facts to know before signing. */
  details: string[];
  contract: string;
  functionName: string;
}

type Words = Omit<TransactionDescription, "contract">;

const bytes = (json: string): string => new TextEncoder().encode(json).length.toLocaleString("en");

function storage(json: string): string {
  return json === ""
    ? "The metadata JSON is not stored on the chain. Readers load it from the data URL."
    : `Stores ${bytes(json)} bytes of metadata JSON on the chain.`;
}

function describeRegistryCall(data: Hex): Words {
  const call = decodeFunctionData({ abi: appRegistryAbi, data });
  const words = (sentence: string, ...details: string[]): Words => ({
    sentence,
    details,
    functionName: call.functionName,
  });
  switch (call.functionName) {
    case "mint": {
      const [did, , dataUrl, , , , , major, minor, patch, , json] = call.args;
      const version = formatVersion({ major, minor, patch });
      const sentence = `Register ${did}, version ${version}. You become its minter and hold its token.`;
      return words(sentence, `Data URL: ${dataUrl}`, storage(json));
    }
    case "updateAppControlled": {
      const [did, major, dataUrl, , , , , minor, patch, json] = call.args;
      const sentence = `Publish version ${formatVersion({ major, minor, patch })} of ${did}.`;
      return words(sentence, `Data URL: ${dataUrl || "unchanged"}`, storage(json));
    }
    case "updateStatus": {
      const [did, major, status] = call.args;
      return words(
        `Mark major version ${major} of ${did} as ${appStatusLabels[status as AppStatus] ?? status}.`,
      );
    }
    case "openReclaim": {
      const [did, major] = call.args;
      const wait =
        "You can finish it 30 to 60 days later, unless its minter or holder controls the DID then or dismisses it.";
      return words(`Open a reclaim of major version ${major} of ${did}.`, wait);
    }
    case "safeTransferFrom": {
      const [, to, tokenId] = call.args;
      const stays = "Control of its DID is not transferred.";
      return words(`Transfer the token of record ${tokenId} to ${to}.`, stays);
    }
    case "finishReclaim":
      return words(
        `Finish the reclaim: transfer the token of major version ${call.args[1]} of ${call.args[0]} to you.`,
      );
    case "dismissReclaims":
      return words(`End every open reclaim of major version ${call.args[1]} of ${call.args[0]}.`);
    default:
      return words(`Call ${call.functionName} of the registry.`);
  }
}

function describeResolverCall(data: Hex): Words {
  const call = decodeFunctionData({ abi: resolverAbi, data });
  const words = (sentence: string): Words => ({
    sentence,
    details: typeof call.args?.[0] === "string" ? [`didHash: ${call.args[0]}`] : [],
    functionName: call.functionName,
  });
  switch (call.functionName) {
    case "attestDIDBySignature":
      return words("Submit the issuer's signed attestation that you control this DID.");
    case "attestDataHashBySignature":
      return words("Submit the issuer's signed attestation of this dataHash.");
    case "attestDID":
      return words(`Attest that ${call.args[1]} controls this DID.`);
    case "revokeDID":
      return words(`Revoke any attestation you made that ${call.args[1]} controls this DID.`);
    case "attestDataHash":
      return words(`Attest the dataHash ${call.args[1]} of this DID.`);
    case "revokeDataHash":
      return words(`Revoke any attestation you made of the dataHash ${call.args[1]} of this DID.`);
    case "blockController":
      return words(`Block ${call.args[1]} from control of this DID until ${isoTime(Number(call.args[2]))}.`);
    case "blockControllerBatch": {
      const [blocks] = call.args;
      const details = blocks.map(
        ({ didHash, account, until }) => `${account} until ${isoTime(Number(until))} (didHash: ${didHash})`,
      );
      return { ...words(`Block accounts from controlling DIDs (${blocks.length} in total).`), details };
    }
    case "unblockController":
      return words(`End the block that keeps ${call.args[1]} from control of this DID.`);
    case "challengeDID":
      return words(`Challenge ${call.args[1]} as a controller of this DID.`);
    case "resolveChallenge":
      return words(
        `Remove ${call.args[1]} as a controller of this DID by resolving the challenge of ${call.args[2]}.`,
      );
    default:
      return words(`Call ${call.functionName} of the resolver.`);
  }
}

/**
 * Describes the effect of a transaction to one of the registry's contracts. Returns `undefined` for any other
 * transaction.
 *
 * @example
 * import { encodeFunctionData } from "viem";
 *
 * const call = client.prepareUpdateStatus({ did, major: 1, status: 1 });
 * const transaction = { to: call.address, data: encodeFunctionData(call) };
 * const words = describeTransaction(transaction, deployment);
 * words?.functionName; // "updateStatus"
 */
export function describeTransaction(
  { to, data }: { to?: Address | null | undefined; data?: Hex | undefined },
  deployment: Deployment,
): TransactionDescription | undefined {
  if (!to || !data) return undefined;
  const { AppRegistry, ResolverWithStore } = deployment.contracts;
  try {
    if (isAddressEqual(to, AppRegistry.address))
      return { contract: "App Registry", ...describeRegistryCall(data) };
    if (isAddressEqual(to, ResolverWithStore.address))
      return { contract: "Resolver", ...describeResolverCall(data) };
  } catch {
    return undefined;
  }
  return undefined;
}
