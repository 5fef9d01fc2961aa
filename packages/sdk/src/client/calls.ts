import type {
  Abi,
  Address,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  Hash,
} from "viem";
import { checkArguments } from "../arguments.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { callView } from "./callView.ts";
import type { BlockParameter, ClientContext, PreparedCall } from "./context.ts";
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

/** Returns the address and the ABI of a contract. */
type Contract<abi extends Abi> = (context: ClientContext) => { readonly address: Address; readonly abi: abi };

type View = "pure" | "view";
type Write = "nonpayable" | "payable";

/** Defines the method that builds the call of a contract's function. `toArgs` returns the function's arguments. */
export const definePrepare = <
  const abi extends Abi,
  const name extends ContractFunctionName<abi, Write>,
  const args extends ContractFunctionArgs<abi, Write, name>,
  parameters,
>(
  contract: Contract<abi>,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
) =>
  method(signature, (context: ClientContext, parameters: parameters) => ({
    ...contract(context),
    functionName,
    args: toArgs(parameters),
  }));

/** Defines the method that sends the call that `prepare` builds. */
export const defineSend = <parameters>(
  prepare: Method<(context: ClientContext, parameters: parameters) => PreparedCall>,
) =>
  method(
    prepare.signature,
    async (context: ClientContext, parameters: parameters & SendOptions): Promise<Hash> =>
      sendCall(context, prepare(context, parameters), parameters),
  );

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
  const abi extends Abi,
  const name extends ContractFunctionName<abi, View>,
  const args extends ContractFunctionArgs<abi, View, name>,
  parameters,
  result = ContractFunctionReturnType<abi, View, name, args>,
>(
  contract: Contract<abi>,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
  toResult = (raw: ContractFunctionReturnType<abi, View, name, args>) => raw as result,
) =>
  method(
    `${signature} blockNumber?`,
    async (context: ClientContext, parameters: parameters & BlockParameter): Promise<result> => {
      const { blockNumber } = parameters;
      return toResult(
        await readView(context, contract(context), functionName, toArgs(parameters), { blockNumber }),
      );
    },
  );

/** Arguments of a view function that returns pages, without the cursor and the limit. */
type PageArgs<abi extends Abi, name extends ContractFunctionName<abi, View>> =
  ContractFunctionArgs<abi, View, name> extends readonly [...infer args, bigint, bigint]
    ? Readonly<args>
    : never;

/** Item of a page that a view function returns. */
type PageItem<abi extends Abi, name extends ContractFunctionName<abi, View>> =
  ContractFunctionReturnType<abi, View, name> extends readonly [readonly (infer item)[], bigint]
    ? item
    : never;

/** Defines the method that lists the items of a view function that returns pages. */
export const defineListing = <
  const abi extends Abi,
  const name extends ContractFunctionName<abi, View>,
  const args extends PageArgs<abi, name>,
  parameters,
  item,
>(
  contract: Contract<abi>,
  functionName: name,
  signature: string,
  toArgs: (parameters: parameters) => args,
  toItem: (raw: PageItem<abi, name>) => item,
) =>
  method(
    `${signature} limit? cursor?`,
    (context: ClientContext, parameters: parameters & ListingOptions): Listing<item> => {
      const args = toArgs(parameters);
      const read = (cursor: bigint, limit: bigint) =>
        readView(context, contract(context), functionName, [...args, cursor, limit] as never) as Promise<
          readonly [readonly PageItem<abi, name>[], bigint]
        >;
      return createPaginator(parameters, read, toItem);
    },
  );
