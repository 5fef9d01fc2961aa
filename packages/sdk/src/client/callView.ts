import type { ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from "viem";
import { type ReadContractParameters, readContract } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import { type Abis, type BlockParameter, type ClientContext, getContract } from "./context.ts";

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
