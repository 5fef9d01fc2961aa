import type { GuardedFetch } from "@app-registry/outbound";
import {
  type Address,
  type CcipRequestParameters,
  createPublicClient,
  type Hex,
  http,
  isHex,
  type PublicClient,
} from "viem";
import { mainnet } from "viem/chains";
import { normalize } from "viem/ens";
import { z } from "zod";
import { newcomerSchema } from "../../control/newcomers.ts";
import { ApiProblem } from "../http/problem.ts";
import type { Registry } from "../registry.ts";

/** Time limit of each RPC request, in milliseconds. */
const RPC_TIMEOUT = 2_000;

/** Maximum number of gateways to try per lookup. */
const MAX_GATEWAYS = 3;

type EnsParameters = { rpcUrl: string; guardedFetch: GuardedFetch };

/**
 * Reads ENS on Ethereum. The owner of an off-chain name chooses its gateways (EIP-3668), so they are requested through
 * the guarded fetcher, all within the limits of one session.
 * @throws if the RPC or every gateway fails.
 */
async function readEns<Result>(
  { rpcUrl, guardedFetch }: EnsParameters,
  read: (client: PublicClient) => Promise<Result>,
): Promise<Result> {
  const session = guardedFetch.openSession();
  const client: PublicClient = createPublicClient({
    chain: mainnet,
    transport: http(rpcUrl, { timeout: RPC_TIMEOUT, retryCount: 0 }),
    ccipRead: { request: (request) => queryGateways(session.fetch, request) },
  });
  try {
    return await read(client);
  } finally {
    session.close();
  }
}

/**
 * Returns the primary ENS name of an account if the name resolves back to the account.
 * @throws as `readEns`.
 */
export const readEnsName = ({ address, ...parameters }: EnsParameters & { address: Address }) =>
  // The universal resolver also checks the forward resolution.
  readEns(parameters, async (client) => (await client.getEnsName({ address })) ?? undefined);

export const ensAddressSchema = z.object({ name: z.string(), address: newcomerSchema.shape.account });

/**
 * Answers `GET /api/ens/{name}` with the account that an ENS name on Ethereum names. Needs `RPC_URL_1`.
 * @throws ApiProblem 404 `not-found`, 503 `chain-unavailable`.
 */
export async function serveEnsAddress(
  request: Request,
  { environment, guardedFetch }: Pick<Registry, "environment" | "guardedFetch">,
): Promise<Response> {
  const rpcUrl = environment.chainRpcUrls.get(mainnet.id);
  const name = toEnsName(new URL(request.url).pathname.split("/").at(-1) ?? "");
  if (rpcUrl === undefined || name === undefined) {
    const detail = name === undefined ? "This isn't an ENS name." : "This registry doesn't read Ethereum.";
    throw new ApiProblem(404, "not-found", "ENS name not resolved", { detail });
  }
  const address = await readEns({ rpcUrl, guardedFetch }, (client) => client.getEnsAddress({ name })).catch(
    () => {
      const detail = "Ethereum or the name's gateway isn't responding.";
      throw new ApiProblem(503, "chain-unavailable", "ENS name not resolved", { detail, retryable: true });
    },
  );
  if (address === null) {
    throw new ApiProblem(404, "not-found", "ENS name not resolved", { detail: "No account has this name." });
  }
  return Response.json({ name, address }, { headers: { "cache-control": "no-cache" } });
}

/** Returns the normalized ENS name of a path segment, or `undefined` if it isn't a name. */
function toEnsName(segment: string): string | undefined {
  try {
    const name = normalize(decodeURIComponent(segment));
    return name.includes(".") ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Requests the gateways of an EIP-3668 lookup in order. Stops at a client error (4xx). */
async function queryGateways(
  fetch: GuardedFetch["fetch"],
  { data, sender, urls }: CcipRequestParameters,
): Promise<Hex> {
  let failure: unknown = new Error("The lookup contains no gateway URL.");
  for (const template of urls.slice(0, MAX_GATEWAYS)) {
    const url = template.replace("{sender}", sender.toLowerCase()).replace("{data}", data);
    const init = template.includes("{data}")
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ data, sender }),
        };
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      if (response.ok) return readAnswer(text);
      failure = new Error(`The gateway returned HTTP ${response.status}.`);
      if (response.status < 500) break;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function readAnswer(text: string): Hex {
  const { data }: { data?: unknown } = JSON.parse(text);
  if (!isHex(data)) throw new Error("The gateway returned no hex data.");
  return data;
}
