import { type FallbackTransport, fallback, type HttpTransport, type HttpTransportConfig, http } from "viem";
import { environment } from "../environment.ts";

/** Creates a transport that tries the chain's RPC endpoints in order. `config` applies to each of them. */
export function createRpcTransport(
  config: HttpTransportConfig = {},
): FallbackTransport<readonly HttpTransport[]> {
  return fallback(
    environment.rpcUrls.map((url) => http(url, config)),
    { retryCount: config.retryCount ?? 3 },
  );
}
