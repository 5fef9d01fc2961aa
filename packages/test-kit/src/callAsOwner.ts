import { encodeFunctionData } from "viem";
import { resolverAbi } from "../../sdk/src/abi/index.ts";
import type { Deployment } from "../../sdk/src/deployment.ts";
import { testAccount, testClients } from "./deployContracts.ts";

/** Call that only the owner of a resolver can send. */
type OwnerCall =
  | { functionName: "addIssuer" | "retireIssuer"; args: readonly [`0x${string}`] }
  | { functionName: "distrustIssuer"; args: readonly [issuer: `0x${string}`, since: bigint] };

/**
 * Calls the resolver of `deployContracts` as its owner, and waits until the transaction is confirmed.
 *
 * @throws Error when the transaction reverts.
 */
export async function callAsOwner(rpcUrl: string, { contracts }: Deployment, call: OwnerCall): Promise<void> {
  const { publicClient, walletClient } = testClients(rpcUrl, testAccount(0));
  const data = encodeFunctionData({ abi: resolverAbi, ...call } as Parameters<typeof encodeFunctionData>[0]);
  const hash = await walletClient.sendTransaction({ to: contracts.ResolverWithStore.address, data });
  const { status } = await publicClient.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`${call.functionName} reverted`);
}
