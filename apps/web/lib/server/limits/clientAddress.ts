import ipaddr from "ipaddr.js";

/** Shared key of all clients whose address is unknown. Together they have the limits of one client. */
export const UNKNOWN_CLIENT = "unknown";

/**
 * Returns the address that a client is counted under: an IPv4 address or the /64 network of an IPv6 address, which one
 * household or server has to itself. With `n` trusted proxies, uses the entry of `X-Forwarded-For` that the outermost
 * one added: the nth from the end. Without trusted proxies, anybody can write the header, so all clients have one key.
 */
export function clientAddress(request: Pick<Request, "headers">, trustedProxies: number): string {
  if (trustedProxies === 0) return UNKNOWN_CLIENT;
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return toClientNetwork(entries.at(-trustedProxies));
}

/**
 * Returns the network of the clients that share a queue: the IPv6 /48, because one site can have all of its 65,536
 * networks.
 */
export function getSite(client: string): string {
  const [address, bits] = client.split("/");
  return bits ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString() : client;
}

/** Address with a port, which some proxies add: `203.0.113.9:1234` or `[2001:db8::1]:1234`. */
const ADDRESS_WITH_PORT = /^(?:([\d.]+):|\[([\da-f:.]+)\]:)\d+$/i;

function toClientNetwork(entry = ""): string {
  const [, v4, v6] = ADDRESS_WITH_PORT.exec(entry) ?? [];
  const text = v4 ?? v6 ?? entry;
  if (!ipaddr.isValid(text)) return UNKNOWN_CLIENT;
  const address = ipaddr.process(text);
  if (address.kind() === "ipv4") return address.toString();
  const [network] = ipaddr.parseCIDR(`${address.toString()}/64`);
  const masked = ipaddr.IPv6.networkAddressFromCIDR(`${network.toString()}/64`);
  return `${masked.toString()}/64`;
}
