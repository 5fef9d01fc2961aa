import { requireSameAbi } from "../deployment.ts";
import { guardChain } from "./chainGuard.ts";
import type { ClientContext } from "./context.ts";
import * as reads from "./reads/index.ts";
import * as waits from "./waits.ts";
import * as writes from "./writes/index.ts";

/** Functions of a context, as functions without it. */
type Bound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (
    context: ClientContext,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

type ContextFunction = (context: ClientContext, ...rest: never[]) => unknown;

function bind<Functions extends Readonly<Record<string, ContextFunction>>>(
  functions: Functions,
  context: ClientContext,
): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, run]) => [name, run.bind(undefined, context)]);
  return Object.fromEntries(bound) as Bound<Functions>;
}

/**
 * A typed client of one deployment. Reads answer with plain records; every write `x` has a twin `prepareX` that
 * only builds the call, and returns the transaction hash after a simulation.
 */
export type AppRegistryClient = Bound<typeof reads> &
  Bound<typeof writes> &
  Bound<typeof waits> &
  Readonly<ClientContext>;

/**
 * Creates a client of the registry, its metadata store and its resolver. Works with any viem transport, and with
 * the clients of a wagmi config. Before the first answer is returned, the RPC has to name the deployment's chain: else
 * every read and write throws {@link WrongChainError}.
 *
 * @throws {AbiMismatchError} when the deployment is of contracts with another ABI than this package has.
 * @example
 * import { createPublicClient, http } from "viem";
 *
 * const publicClient = createPublicClient({ transport: http(rpcUrl) });
 * const client = createAppRegistryClient({ deployment, publicClient });
 * const { owner, latestVersion } = await client.getAppSummary({ did, major: 1 });
 */
export function createAppRegistryClient(parameters: ClientContext): AppRegistryClient {
  const { publicClient, deployment } = parameters;
  requireSameAbi(deployment);
  const context = { ...parameters, publicClient: guardChain(publicClient, deployment.chainId) };
  return {
    ...context,
    ...bind(reads, context),
    ...bind(writes, context),
    ...bind(waits, context),
  };
}
