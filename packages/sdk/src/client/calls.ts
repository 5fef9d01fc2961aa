import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hash } from "viem";
import type { ClientContext, PreparedCall } from "./context.ts";
import { type SendOptions, sendCall } from "./sendCall.ts";

type ContextFunction = (context: ClientContext, ...rest: never[]) => unknown;

/**
 * Method of the client, before its context is bound. `signature` has the names of its arguments: of one object, or in
 * parentheses of the value itself. See `checkArguments`. A `version` is checked where it is parsed.
 */
type Method<Run extends ContextFunction = ContextFunction> = Run & { readonly signature: string };

/** Defines a method of the client. */
export const method = <Run extends ContextFunction>(signature: string, run: Run): Method<Run> =>
  Object.assign(run, { signature });

/** Returns the address and the ABI of a contract. */
type Contract<abi extends Abi> = (context: ClientContext) => { readonly address: Address; readonly abi: abi };

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
