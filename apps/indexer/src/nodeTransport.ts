import { type FallbackTransport, fallback, type HttpTransport, type HttpTransportConfig, http } from "viem";
import { readEnvironment } from "../environment.ts";

/** Asks the chain's endpoints in turn until one answers; `config` is of each. */
export function nodeTransport(config: HttpTransportConfig = {}): FallbackTransport<readonly HttpTransport[]> {
  const { rpcUrls } = readEnvironment(process.env);
  return fallback(
    rpcUrls.map((url) => http(url, config)),
    { retryCount: config.retryCount ?? 3 },
  );
}
