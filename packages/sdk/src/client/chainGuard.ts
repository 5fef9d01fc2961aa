import { type Client, createClient, fallback, hexToNumber, type Transport } from "viem";
import { RpcFailedError } from "../errors/networkErrors.ts";
import { toRpcError } from "../errors/toRpcError.ts";
import { WrongChainError } from "../errors/walletErrors.ts";

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
export function guardChain(client: Client, chainId: number): Client {
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
