import { type FallbackTransport, fallback, type HttpTransport, type HttpTransportConfig, http } from "viem";
import { environment } from "../environment.ts";

/** Asks the chain's endpoints in turn until one answers; `config` is of each. */
export function createRpcTransport(
  config: HttpTransportConfig = {},
): FallbackTransport<readonly HttpTransport[]> {
  return fallback(
    environment.rpcUrls.map((url) => http(url, config)),
    { retryCount: config.retryCount ?? 3 },
  );
}
