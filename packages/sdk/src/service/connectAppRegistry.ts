import {
  type Account,
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  type Transport,
} from "viem";
import * as z from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { type AppRegistryClient, createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { deploymentSchema } from "../deployment.ts";
import { LOCAL_CHAIN_ID } from "../local.ts";
import { described } from "../schemas.ts";
import { requestJson } from "./requestJson.ts";

/** What a registry web service says about itself (`GET /api/deployment`). */
export const registryInfoSchema = z.extend(deploymentSchema, {
  rpcUrl: described(z.url(), "The RPC endpoint for browsers and clients of this service."),
});

/** How {@link connectAppRegistry} connects. */
export type ConnectAppRegistryOptions = {
  /** Signs and sends: a viem account of a private key, a KMS or another signer. Needed for writes only. */
  account?: Account | undefined;
  /** The transport to the chain; default the RPC endpoint that the service names. */
  transport?: Transport | undefined;
  /** Time for the service's answer; default 10,000 ms. */
  timeoutMs?: number | undefined;
};

/**
 * Connects to the registry behind a web service, which names the contracts and an RPC endpoint.
 *
 * This trusts the service. To rely on the chain alone, give `createAppRegistryClient` your own deployment and RPC
 * endpoint.
 *
 * @throws {ServiceError}, {@link ServiceUnavailableError}, {@link TimeLimitError}.
 * @example
 * const client = await connectAppRegistry("http://localhost:3000");
 * const records = await client.totalSupply();
 */
export async function connectAppRegistry(
  baseUrl: string,
  { account, transport: given, timeoutMs }: ConnectAppRegistryOptions = {},
): Promise<AppRegistryClient> {
  checkArguments("baseUrl account? timeoutMs?", { baseUrl, account, timeoutMs });
  const answer = await requestJson({ baseUrl, timeoutMs }, "/api/deployment", registryInfoSchema);
  const { rpcUrl, ...deployment } = answer;
  const transport = given ?? http(rpcUrl);
  const chain = defineChain({
    id: deployment.chainId,
    name: deployment.network,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const shared = { chain, transport, ...(chain.id === LOCAL_CHAIN_ID && { pollingInterval: 100 }) };
  return createAppRegistryClient({
    deployment,
    baseUrl,
    publicClient: createPublicClient(shared),
    walletClient: account && createWalletClient({ ...shared, account }),
  });
}
