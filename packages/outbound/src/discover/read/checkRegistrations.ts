import { AppRegistryError, type JsonObject, MAX_LIST_LENGTH } from "@app-registry/sdk";
import type { Address } from "viem";
import { printable } from "../../fetch/printable.ts";
import type { DiscoverySession } from "../discoverySession.ts";
import { asObjectArray, asString } from "./json.ts";

/** Maximum number of registrations of a file that are read from a chain. */
const MAX_CHECKED = 5;

/** Lists the first 100 `registrations` of an ERC-8004 file that name an agent of an EVM chain. */
export function listRegistrations(file: JsonObject): { id: string; chain: string; address: Address }[] {
  return asObjectArray(file.registrations)
    .slice(0, MAX_LIST_LENGTH)
    .flatMap(({ agentId, agentRegistry }) => {
      const [, chain, address] = /^eip155:([1-9]\d{0,9}):(0x[0-9a-f]{40})$/i.exec(`${agentRegistry}`) ?? [];
      // A larger number has lost digits. Such ids are strings.
      const id = Number.isSafeInteger(agentId) ? String(agentId) : (asString(agentId) ?? "");
      if (chain === undefined || !/^\d{1,78}$/.test(id) || BigInt(id) >= 2n ** 256n) return [];
      return [{ id, chain, address: address as Address }];
    });
}

/**
 * Compares the `registrations` of an ERC-8004 file with the identity registries that they name. Returns a note for each
 * registration on a readable chain, and none if the chain does not respond or the session reads no chain.
 */
export async function checkRegistrations(
  file: JsonObject,
  url: string,
  { readAgentUri }: Pick<DiscoverySession, "readAgentUri">,
): Promise<string[]> {
  const notes = new Set<string>();
  for (const { id, chain, address } of listRegistrations(file)) {
    if (!readAgentUri || notes.size >= MAX_CHECKED) break;
    try {
      const uri = await readAgentUri({ chainId: Number(chain), address }, BigInt(id));
      const agent = `agent ${id} on eip155:${chain}`;
      if (uri !== undefined) notes.add(`${describeAgent(agent, uri, url)} (registry ${address}).`);
    } catch (error) {
      if (error instanceof AppRegistryError) break;
      throw error;
    }
  }
  return [...notes];
}

function describeAgent(agent: string, uri: string | null, url: string): string {
  const said = `The file says that it's of ${agent}, but`;
  if (uri === null) return `${said} no such agent is registered`;
  if (uri === "") return `${said} that agent names no file`;
  const isSame = URL.canParse(uri) && new URL(uri).href === new URL(url).href;
  if (isSame) return `Registered as ${agent}, whose file is this one`;
  return `${said} that agent names another file: ${printable(uri)}`;
}
