import type { GuardedFetch } from "@app-registry/outbound";
import { type Address, type CcipRequestParameters, createPublicClient, type Hex, http, isHex } from "viem";
import { mainnet } from "viem/chains";

/** Milliseconds, for each answer of the RPC. */
const RPC_TIMEOUT = 2_000;

/** Gateways of one lookup that are tried. */
const MAX_GATEWAYS = 3;

/**
 * The primary ENS name of an account on Ethereum, when it resolves back to the address. A name may be kept off the
 * chain, where its owner chooses which gateways are asked (EIP-3668): the guarded fetcher asks them, all of them together
 * within the limits of one session.
 * @throws when the RPC or every gateway fails.
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
    // The universal resolver checks the forward resolution too.
    return (await client.getEnsName({ address })) ?? undefined;
  } finally {
    session.close();
  }
}

/** Asks the gateways of an EIP-3668 lookup one after the other; a client error (4xx) of one ends it. */
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
