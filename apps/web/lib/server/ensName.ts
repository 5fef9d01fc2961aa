import type { GuardedFetch } from "@app-registry/outbound";
import { type Address, type CcipRequestParameters, createPublicClient, type Hex, http, isHex } from "viem";
import { mainnet } from "viem/chains";

/** Time limit of each RPC request, in milliseconds. */
const RPC_TIMEOUT = 2_000;

/** Maximum number of gateways to try per lookup. */
const MAX_GATEWAYS = 3;

/**
 * Returns the primary ENS name of an account on Ethereum if the name resolves back to the account. The owner of an
 * off-chain name chooses its gateways (EIP-3668), so they are requested through the guarded fetcher, all within the
 * limits of one session.
 * @throws if the RPC or every gateway fails.
 */
export async function readEnsName(parameters: {
  rpcUrl: string;
  address: Address;
  guardedFetch: GuardedFetch;
}): Promise<string | undefined> {
  const { rpcUrl, address, guardedFetch } = parameters;
  const session = guardedFetch.openSession();
  const client = createPublicClient({
    chain: mainnet,
    transport: http(rpcUrl, { timeout: RPC_TIMEOUT, retryCount: 0 }),
    ccipRead: { request: (request) => queryGateways(session.fetch, request) },
  });
  try {
    // The universal resolver also checks the forward resolution.
    return (await client.getEnsName({ address })) ?? undefined;
  } finally {
    session.close();
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
