import ipaddr from "ipaddr.js";
import { getSocketAddress } from "../incomingRequests.ts";

/** What all clients share whose address can't be told: their limits are those of one client. */
export const UNKNOWN_CLIENT = "unknown";

/**
 * The address that a client is counted under: an IPv4 address, or the /64 network of an IPv6 address, which one
 * household or server has to itself. Without trusted proxies it is the socket's address, and `X-Forwarded-For`, which
 * anybody can write, means nothing. With `n` of them it is the entry that the outermost added: the nth from the end.
 */
export function clientAddress(request: Pick<Request, "headers">, trustedProxies: number): string {
  if (trustedProxies === 0) return toClientNetwork(getSocketAddress(request));
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return toClientNetwork(entries.at(-trustedProxies));
}

/**
 * The clients that share a queue with a client: those of its IPv6 /48, of which one site has 65,536 networks to itself.
 */
export function getSite(client: string): string {
  const [address, bits] = client.split("/");
  return bits ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString() : client;
}

function toClientNetwork(text: string | undefined): string {
  if (!text || !ipaddr.isValid(text)) return UNKNOWN_CLIENT;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const [network] = ipaddr.parseCIDR(`${address.toString()}/64`);
  const masked = ipaddr.IPv6.networkAddressFromCIDR(`${network.toString()}/64`);
  return `${masked.toString()}/64`;
}
