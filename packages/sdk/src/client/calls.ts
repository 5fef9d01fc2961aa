import type { ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType, Hash } from "viem";
import { checkArguments } from "../arguments.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { callView } from "./callView.ts";
import {
  type Abis,
  type BlockParameter,
  type ClientContext,
  type ContractCall,
  getContract,
} from "./context.ts";
import { createPaginator, type Listing, type ListingOptions } from "./listing.ts";
import { explainNotRegistered } from "./notRegistered.ts";
import { type SendOptions, sendCall } from "./sendCall.ts";

type ContextFunction = (context: ClientContext, ...rest: never[]) => unknown;

/**
 * Method of the client, before its context is bound. `signature` has the names of its arguments: of one object, or in
 * parentheses of the value itself. See `checkArguments`. A `version` is checked where it is parsed.
 */
export type Method<Run extends ContextFunction = ContextFunction> = Run & { readonly signature: string };

/** Defines a method of the client. */
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

/** Result of a view function of one of the contracts. */
type ViewResult<
  contract extends keyof Abis,
  name extends ContractFunctionName<Abis[contract], View>,
> = ContractFunctionReturnType<Abis[contract], View, name>;

/**
 * Defines the method that sends a call of a contract's function, after `check`, with a method `prepare` that only builds
 * the call. `toArgs` returns the function's arguments.
 */
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

/** Item of a page that a view function returns. */
type PageItem<contract extends keyof Abis, name extends ContractFunctionName<Abis[contract], View>> =
  ViewResult<contract, name> extends readonly [readonly (infer item)[], bigint] ? item : never;

/** Defines the method that lists the items of a view function that returns pages. */
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
