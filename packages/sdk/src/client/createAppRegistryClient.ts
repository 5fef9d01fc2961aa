import { type Client, createClient, fallback, hexToNumber, type Transport } from "viem";
import { checkArguments } from "../arguments.ts";
import { requireSameAbi } from "../deployment.ts";
import { RpcFailedError } from "../errors/networkErrors.ts";
import { toRpcError } from "../errors/toAppRegistryError.ts";
import { WrongChainError } from "../errors/walletErrors.ts";
import { checkCall, type Method } from "./calls.ts";
import type { ClientContext } from "./context.ts";
import * as reads from "./reads.ts";
import * as waits from "./waiters.ts";
import * as writes from "./writes.ts";

type Request = Client["request"];

/** Transport of a client, or one of the endpoints of a `fallback`. */
type Endpoint = Pick<ReturnType<Transport>, "config" | "value"> & { request: Request };

/** Time for which the chain id of an RPC is reused, in milliseconds. Its URL may later serve another chain. */
const MAX_AGE = 30_000;

/** Transports whose chain id is cached. A wallet behind any other transport may change its chain at any time. */
const stableTransports: ReadonlySet<string> = new Set(["http", "webSocket", "ipc"]);

/** Chain id of each client or endpoint, with the time of the request. */
const chainIdCache = new WeakMap<object, { at: number; answer: Promise<number> }>();

/**
 * Throws unless an RPC serves a chain. Requests the chain id of an RPC at most once in 30 seconds, also for concurrent
 * calls, and again after a failure. Requests that of a wallet each time.
 *
 * @throws {WrongChainError} when it serves another chain.
 * @throws {RpcUnavailableError} or `RpcFailedError` when it does not respond.
 */
async function assertChainId(key: object, { config, request }: Endpoint, chainId: number): Promise<void> {
  const known = chainIdCache.get(key);
  const isFresh = known !== undefined && Math.abs(Date.now() - known.at) < MAX_AGE;
  const current = isFresh ? known : { at: Date.now(), answer: readChainId(request) };
  if (stableTransports.has(config.type)) chainIdCache.set(key, current);
  try {
    const actual = await current.answer;
    if (actual !== chainId) throw new WrongChainError(chainId, actual, "rpc");
  } catch (error) {
    if (chainIdCache.get(key) === current) chainIdCache.delete(key);
    throw toRpcError(error);
  }
}

async function readChainId(request: Request): Promise<number> {
  const chainId = hexToNumber(await request({ method: "eth_chainId" }, { dedupe: true }));
  if (Number.isSafeInteger(chainId)) return chainId;
  throw new RpcFailedError("eth_chainId did not return a number", undefined);
}

/**
 * Returns a client that responds only if its RPC serves the chain. Registries on two chains may have the same
 * addresses, so nothing else in a response tells the chains apart.
 *
 * The chain id is requested along with the first request, so it costs no round trip. Each endpoint of a `fallback` is
 * checked separately and skipped if it serves another chain. Endpoints are tried in the given order, unranked.
 */
function guardChain(client: Client, chainId: number): Client {
  const { transport } = client;
  const request = guardRequest(
    client,
    { config: transport, request: client.request, value: transport },
    chainId,
  );
  return createClient({ ...client, transport: () => ({ config: transport, request }) }) as Client;
}

function guardRequest(key: object, endpoint: Endpoint, chainId: number): Request {
  const endpoints = endpoint.value?.transports as readonly Endpoint[] | undefined;
  if (endpoint.config.type === "fallback" && endpoints) return guardEach(endpoint, endpoints, chainId);
  return (async (call: { method: string }, options: object) => {
    const answer: Promise<unknown> = endpoint.request(call as never, options);
    if (call.method === "eth_chainId") return answer;
    // The response may fail while this waits for the chain id. Node.js would report the failure as unhandled.
    answer.catch(() => undefined);
    await assertChainId(key, endpoint, chainId);
    return answer;
  }) as Request;
}

function guardEach({ config }: Endpoint, endpoints: readonly Endpoint[], chainId: number): Request {
  const { retryCount, retryDelay } = config;
  const guarded = endpoints.map((endpoint) => {
    const request = guardRequest(endpoint, endpoint, chainId);
    return () => ({ ...endpoint, request });
  });
  return createClient({ transport: fallback(guarded as Transport[], { retryCount, retryDelay }) }).request;
}

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
