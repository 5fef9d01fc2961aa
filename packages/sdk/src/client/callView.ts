import type {
  Abi,
  Address,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
} from "viem";
import { type ReadContractParameters, readContract } from "viem/actions";
import { toRpcError } from "../errors/toRpcError.ts";
import type { BlockParameter, ClientContext } from "./context.ts";

type View = "pure" | "view";

/**
 * Calls a view function of one of the contracts.
 *
 * @throws {AppRegistryError} for every failure.
 */
export async function callView<
  const abi extends Abi,
  name extends ContractFunctionName<abi, View>,
  const args extends ContractFunctionArgs<abi, View, name>,
>(
  context: ClientContext,
  contract: { address: Address; abi: abi },
  functionName: name,
  args: args,
  { blockNumber }: BlockParameter = {},
): Promise<ContractFunctionReturnType<abi, View, name, args>> {
  try {
    const parameters = {
      ...contract,
      functionName,
      args,
      ...(blockNumber === undefined ? {} : { blockNumber }),
    };
    const result = await readContract(context.publicClient, parameters as unknown as ReadContractParameters);
    return result as ContractFunctionReturnType<abi, View, name, args>;
  } catch (error) {
    throw toRpcError(error);
  }
}
