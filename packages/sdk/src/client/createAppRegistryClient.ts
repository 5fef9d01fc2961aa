import { checkArguments } from "../arguments.ts";
import { requireSameAbi } from "../deployment.ts";
import { checkCall, type Method } from "./calls.ts";
import { guardChain } from "./chainGuard.ts";
import type { ClientContext } from "./context.ts";
import * as reads from "./reads.ts";
import * as waits from "./waiters.ts";
import * as writes from "./writes.ts";

/** Functions that take a context, with the context bound to them. */
type Bound<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (
    context: ClientContext,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

type Writes = typeof writes;

/** Methods that build the calls of the writes: of every write `x`, `prepareX`. */
type Preparations = {
  readonly [Name in keyof Writes as `prepare${Capitalize<Name>}`]: Writes[Name]["prepare"];
};

const listPreparations = () =>
  Object.fromEntries(
    Object.entries(writes).map(([name, { prepare }]) => [
      `prepare${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      prepare,
    ]),
  ) as Preparations;

/** Returns true if a method is synchronous: it throws where the other methods reject. */
const isImmediate = (name: string): boolean => /^(prepare|list(?!VersionRecords))/.test(name);

function bind<Functions extends Readonly<Record<string, Method>>>(
  functions: Functions,
  context: ClientContext,
): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, run]) => {
    const call = (...given: unknown[]) => {
      checkCall(run, given);
      return run(context, ...(given as never[]));
    };
    return [name, isImmediate(name) ? call : async (...given: unknown[]) => call(...given)];
  });
  return Object.fromEntries(bound) as Bound<Functions>;
}

/**
 * Client of one deployment. Reads return plain records. Every write `x` simulates and sends a call and returns the
 * transaction hash; its twin `prepareX` only builds the call.
 */
export type AppRegistryClient = Bound<typeof reads> &
  Bound<Writes> &
  Bound<Preparations> &
  Bound<typeof waits> &
  Readonly<ClientContext>;

/**
 * Creates a client of the registry, its metadata store and its resolver. Works with any viem transport, and with the
 * clients of a wagmi config. Every read and write throws {@link WrongChainError} if the RPC serves another chain than
 * the deployment's.
 *
 * @throws {AbiMismatchError} when the deployment's contracts have another ABI than this package.
 * @example
 * import { createPublicClient, http } from "viem";
 *
 * const publicClient = createPublicClient({ transport: http(rpcUrl) });
 * const client = createAppRegistryClient({ deployment, publicClient });
 * const { owner, latestVersion } = await client.getAppSummary({ did, major: 1 });
 */
export function createAppRegistryClient(parameters: ClientContext): AppRegistryClient {
  checkArguments("deployment publicClient walletClient? baseUrl?", parameters);
  const { publicClient, deployment } = parameters;
  requireSameAbi(deployment);
  const context = { ...parameters, publicClient: guardChain(publicClient, deployment.chainId) };
  return {
    ...context,
    ...bind(reads, context),
    ...bind(writes, context),
    ...bind(listPreparations(), context),
    ...bind(waits, context),
  };
}
