import { type Account, createPublicClient, createWalletClient, http, type Transport } from "viem";
import * as z from "zod/mini";
import { checkArguments } from "../arguments.ts";
import { deploymentSchema } from "../deployment.ts";
import { LOCAL_CHAIN_ID } from "../local.ts";
import { requestJson } from "../requestJson.ts";
import { described } from "../schemas.ts";
import { toViemChain } from "./calls.ts";
import { type AppRegistryClient, createAppRegistryClient } from "./createAppRegistryClient.ts";

/** Schema of the deployment that a registry web service names (`GET /api/deployment`). */
export const registryInfoSchema = z.extend(deploymentSchema, {
  rpcUrl: described(z.url(), "The RPC endpoint for browsers and clients of this service."),
  packages: described(
    z.optional(z.record(z.string(), z.string())),
    "What `npx` and `npm install` take for the packages cli, mcp and sdk of this service.",
  ),
});

/** Options of {@link connectAppRegistry}. */
export type ConnectAppRegistryOptions = {
  /** Account that signs and sends: a viem account of a private key, a KMS or another signer. Needed for writes only. */
  account?: Account | undefined;
  /** Transport to the chain. Default: the RPC endpoint that the service names. */
  transport?: Transport | undefined;
  /** Time limit for the service's response, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
};

/**
 * Connects to the registry behind a web service, which names the contracts and an RPC endpoint.
 *
 * This trusts the service. To rely on the chain alone, pass your own deployment and RPC endpoint to
 * `createAppRegistryClient`.
 *
 * @throws {ServiceError} when the service refuses.
 * @throws {ServiceUnavailableError} when the service does not respond like a registry.
 * @throws {TimeLimitError} when the service does not respond in time.
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
  const { rpcUrl, packages: _, ...deployment } = answer;
  const transport = given ?? http(rpcUrl);
  const chain = toViemChain(deployment, rpcUrl);
  const shared = { chain, transport, ...(chain.id === LOCAL_CHAIN_ID && { pollingInterval: 100 }) };
  return createAppRegistryClient({
    deployment,
    baseUrl,
    publicClient: createPublicClient(shared),
    walletClient: account && createWalletClient({ ...shared, account }),
  });
}
