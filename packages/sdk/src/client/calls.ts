import {
  type Account,
  type Address,
  BaseError,
  type Chain,
  ChainMismatchError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  defineChain,
  encodeFunctionData,
  type Hash,
} from "viem";
import {
  estimateContractGas,
  estimateFeesPerGas,
  getBalance,
  getChainId,
  prepareTransactionRequest,
  simulateContract,
  writeContract,
} from "viem/actions";
import { checkArguments } from "../arguments.ts";
import type { AppRegistryError } from "../errors/appRegistryError.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import {
  type Funds,
  InsufficientFundsError,
  NoAccountError,
  WrongChainError,
} from "../errors/walletErrors.ts";
import {
  type Abis,
  type BlockParameter,
  type ClientContext,
  type ContractCall,
  callView,
  getContract,
  type PreparedCall,
} from "./context.ts";
import { explainNotRegistered } from "./notRegistered.ts";

/** Page of a listing. `nextCursor` starts the next page; null on the last page. */
export type Page<Item> = { items: readonly Item[]; nextCursor: bigint | null };

/** Start and page size of a listing. */
export type ListingOptions = {
  /** Items per call, 1 to 100; default 50. A page may have fewer. */
  limit?: number | undefined;
  /** The `nextCursor` of an earlier page. Default: the beginning. */
  cursor?: bigint | undefined;
};

/**
 * Listing that is read page by page while it is iterated:
 * `for await (const item of listing)` or `for await (const page of listing.pages())`.
 */
export type Listing<Item> = AsyncIterable<Item> & {
  /** Iterates over the pages, each with the cursor of the next. */
  pages(): AsyncIterable<Page<Item>>;
};

const defaultLimit = 50;

/** Creates a listing from a function that reads one page. The contracts return the cursor 0 after the last page. */
function createPaginator<Raw, Item>(
  options: ListingOptions,
  readPage: (cursor: bigint, limit: bigint) => Promise<readonly [readonly Raw[], bigint]>,
  toItem: (raw: Raw) => Item,
): Listing<Item> {
  async function* pages(): AsyncGenerator<Page<Item>> {
    let cursor = options.cursor ?? 0n;
    do {
      const [raws, next] = await readPage(cursor, BigInt(options.limit ?? defaultLimit));
      cursor = next;
      yield { items: raws.map(toItem), nextCursor: next === 0n ? null : next };
    } while (cursor !== 0n);
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.items;
  }
  return { pages, [Symbol.asyncIterator]: items };
}

/** Currency of a client without a chain definition. */
export const defaultCurrency = { symbol: "ETH", decimals: 18 };

/**
 * Returns an error if an account cannot pay for a call, and `undefined` if it can. Decides as a node does: the balance
 * must cover the gas limit at the highest fee per gas that the transaction allows.
 *
 * @param gas Gas limit. Default: an estimate.
 * @throws Errors of viem when the chain does not respond or the contract would refuse.
 */
export async function findInsufficientFunds(
  { publicClient }: Pick<ClientContext, "publicClient">,
  call: PreparedCall,
  account: Address,
  { gas, cause }: { gas?: bigint | undefined; cause?: unknown } = {},
): Promise<InsufficientFundsError | undefined> {
  const [limit, fees, balance] = await Promise.all([
    gas ?? estimateContractGas(publicClient, { ...call, account }),
    estimateFeesPerGas(publicClient),
    getBalance(publicClient, { address: account }),
  ]);
  const needed = limit * (fees.maxFeePerGas ?? fees.gasPrice ?? 0n);
  if (balance >= needed) return undefined;
  const currency = publicClient.chain?.nativeCurrency ?? defaultCurrency;
  return new InsufficientFundsError(cause, { account, balance, needed, currency } satisfies Funds);
}

/** Sends a transaction with the given fields. */
export type Submit = (fields: { nonce: number }) => Promise<Hash>;

/** Sends transactions one after another, each with its nonce. */
export type SendQueue = (submit: Submit) => Promise<Hash>;

/** Options of every write. */
export type SendOptions = {
  /** Account that sends. Default: the wallet's own. */
  account?: Account | Address | undefined;
};

/**
 * Simulates a call at the latest block, so that a refusal costs nothing and throws the contract's own error. Then sends
 * the call and returns the transaction hash without waiting for confirmation.
 */
export async function sendCall(
  context: ClientContext,
  call: PreparedCall,
  { account: given }: SendOptions = {},
  queue?: SendQueue,
): Promise<Hash> {
  const { walletClient, publicClient, deployment } = context;
  const account = given ?? walletClient?.account;
  if (!walletClient || !account) throw new NoAccountError();
  try {
    const chainId = await getChainId(walletClient);
    if (chainId !== deployment.chainId) throw new WrongChainError(deployment.chainId, chainId, "wallet");
    await simulateContract(publicClient, { ...call, account });
    // The wallet may have changed its chain since. viem checks again, and the signature is only valid on this chain.
    const request = { ...call, account, chain: toViemChain(deployment) };
    if (!queue) return await writeContract(walletClient, request);
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = await prepareTransactionRequest(publicClient, {
      ...{ account, chain: request.chain, to: call.address, data: encodeFunctionData(call) },
      parameters: ["type", "fees", "gas"],
    });
    // Add a quarter: a call costs more if a transaction before it changes the same storage.
    const fields = { ...{ maxFeePerGas, maxPriorityFeePerGas }, gas: (gas * 5n) / 4n };
    return await queue(({ nonce }) => writeContract(walletClient, { ...request, ...fields, nonce }));
  } catch (error) {
    if (error instanceof BaseError && error.walk((cause) => cause instanceof ChainMismatchError)) {
      throw new WrongChainError(deployment.chainId, await getChainId(walletClient), "wallet");
    }
    const address = typeof account === "string" ? account : account.address;
    throw await explainRefusal(context, call, address, toAppRegistryError(error));
  }
}

/** Adds details from the chain to an error: the registered versions, or the amount that the account lacks. */
async function explainRefusal(
  context: ClientContext,
  call: PreparedCall,
  account: Address,
  error: AppRegistryError,
): Promise<AppRegistryError> {
  if (!(error instanceof InsufficientFundsError)) return explainNotRegistered(context, call.args, error);
  const shortfall = await findInsufficientFunds(context, call, account, { cause: error.cause }).catch(
    () => undefined,
  );
  return shortfall ?? error;
}

/** Returns the chain definition that viem needs to send a transaction. */
export const toViemChain = (
  { chainId: id, network: name }: Pick<ClientContext["deployment"], "chainId" | "network">,
  ...http: readonly string[]
): Chain =>
  defineChain({
    ...{ id, name, nativeCurrency: { name: "Ether", ...defaultCurrency } },
    rpcUrls: { default: { http } },
  });

type ContextFunction = (context: ClientContext, ...rest: never[]) => unknown;

/**
 * Method of the client, before its context is bound. `signature` has the names of its arguments: of one object, or in
 * parentheses of the value itself. See `checkArguments`. A `version` is checked where it is parsed.
 */
export type Method<Run extends ContextFunction = ContextFunction> = Run & { readonly signature: string };

/** Defines a method of the client. */
// @__NO_SIDE_EFFECTS__
export const method = <Run extends ContextFunction>(signature: string, run: Run): Method<Run> =>
  Object.assign(run, { signature });

/**
 * Checks the arguments of a method before it runs.
 *
 * @throws {InvalidArgumentError}
 */
export function checkCall({ signature }: Method, [first, second]: readonly unknown[]): void {
  const [, single] = /^\((.*)\)$/.exec(signature) ?? [];
  if (single) checkArguments(single, { [single]: first });
  if (single === undefined) checkArguments(`${signature} account?`, first ?? {});
  else checkArguments("blockNumber?", (single ? second : first) ?? {});
}

type View = "pure" | "view";
type Write = "nonpayable" | "payable";

type ViewResult<
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], View>,
> = ContractFunctionReturnType<Abis[contract], View, name>;

/**
 * Defines the method that sends a call of a contract's function, after `check`, with a method `prepare` that only builds
 * the call. `toArgs` returns the function's arguments.
 */
// @__NO_SIDE_EFFECTS__
export const defineWrite = <
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], Write>,
  const args extends ContractFunctionArgs<Abis[contract], Write, name> & readonly unknown[],
  parameters,
>(
  contract: contract,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
  check?: (context: ClientContext, parameters: parameters) => Promise<void>,
) => {
  const prepare = method(
    signature,
    (context: ClientContext, parameters: parameters): ContractCall<contract, name, args> => ({
      ...getContract(context, contract),
      functionName,
      args: toArgs(parameters),
    }),
  );
  const send = async (context: ClientContext, parameters: parameters & SendOptions): Promise<Hash> => {
    await check?.(context, parameters);
    return sendCall(context, prepare(context, parameters), parameters);
  };
  return Object.assign(method(signature, send), { prepare });
};

/** Calls a view function like {@link callView}. If the DID has no such record, the error lists what is registered. */
export const readView: typeof callView = async (context, contract, functionName, args, at) => {
  try {
    return await callView(context, contract, functionName, args, at);
  } catch (error) {
    throw await explainNotRegistered(context, args as readonly unknown[], toAppRegistryError(error), at);
  }
};

/** Defines the method that calls a view function. `toResult` converts its result; without it, the method returns it. */
// @__NO_SIDE_EFFECTS__
export const defineRead = <
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], View>,
  const args extends ContractFunctionArgs<Abis[contract], View, name>,
  parameters,
  result = ViewResult<contract, name>,
>(
  contract: contract,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
  toResult = (raw: ViewResult<contract, name>) => raw as result,
) =>
  method(
    `${signature} blockNumber?`,
    async (context: ClientContext, parameters: parameters & BlockParameter): Promise<result> => {
      const { blockNumber } = parameters;
      return toResult(await readView(context, contract, functionName, toArgs(parameters), { blockNumber }));
    },
  );

/** Arguments of a view function that returns pages, without the cursor and the limit. */
type PageArgs<contract extends keyof Abis, name extends ContractFunctionName<Abis[contract], View>> =
  ContractFunctionArgs<Abis[contract], View, name> extends readonly [...infer args, bigint, bigint]
    ? Readonly<args>
    : never;

type PageItem<contract extends keyof Abis, name extends ContractFunctionName<Abis[contract], View>> =
  ViewResult<contract, name> extends readonly [readonly (infer item)[], bigint] ? item : never;

/** Defines the method that lists the items of a view function that returns pages. */
// @__NO_SIDE_EFFECTS__
export const defineListing = <
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], View>,
  const args extends PageArgs<contract, name>,
  parameters,
  item,
>(
  contract: contract,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
  toItem: (raw: PageItem<contract, name>) => item,
) =>
  method(
    `${signature} limit? cursor?`,
    (context: ClientContext, parameters: parameters & ListingOptions): Listing<item> => {
      const args = toArgs(parameters);
      const read = (cursor: bigint, limit: bigint) =>
        readView(context, contract, functionName, [...args, cursor, limit] as never) as Promise<
          readonly [readonly PageItem<contract, name>[], bigint]
        >;
      return createPaginator(parameters, read, toItem);
    },
  );
