import { AppRegistryError, type JsonObject } from "@app-registry/sdk";
import type { Address } from "viem";
import { printable } from "../../fetch/printable.ts";
import type { DiscoverOptions } from "../target.ts";
import { asObjectArray, asString } from "./json.ts";

/** Maximum numbers of registrations of a file that are read from a chain, and that are looked at. */
const MAX_CHECKED = 5;
const MAX_REGISTRATIONS = 100;

/**
 * Compares the `registrations` of an ERC-8004 file with the identity registries that they name. Returns a note for each
 * registration on a readable chain.
 *
 * @param url URL of the file.
 * @param readAgent Reads an agent from a registry. Without it, nothing is checked.
 */
export async function checkRegistrations(
  file: JsonObject,
  url: string,
  readAgent: DiscoverOptions["readAgent"],
): Promise<string[]> {
  const notes = new Set<string>();
  for (const { agentId, agentRegistry } of asObjectArray(file.registrations).slice(0, MAX_REGISTRATIONS)) {
    if (!readAgent || notes.size >= MAX_CHECKED) break;
    const [, chain, address] =
      /^eip155:([1-9]\d{0,9}):(0x[0-9a-f]{40})$/i.exec(asString(agentRegistry) ?? "") ?? [];
    // A larger number has lost digits. Such ids are strings.
    const id = Number.isSafeInteger(agentId) ? String(agentId) : (asString(agentId) ?? "");
    if (chain === undefined || !/^\d{1,78}$/.test(id) || BigInt(id) >= 2n ** 256n) continue;
    try {
      const contract = { chainId: Number(chain), address: address as Address };
      const agent = await readAgent(contract, BigInt(id));
      if (agent) notes.add(describeAgent(`agent ${id} on eip155:${chain}`, contract.address, agent, url));
    } catch (error) {
      if (!(error instanceof AppRegistryError)) throw error;
      // The chain can't be read now, so nothing is known about the registrations.
      break;
    }
  }
  return [...notes];
}

function describeAgent(
  agent: string,
  registry: Address,
  { isRegistered, uri }: { isRegistered: boolean; uri?: string | undefined },
  url: string,
): string {
  const at = `(registry ${registry})`;
  if (!isRegistered) return `The file says that it's of ${agent}, but no such agent is registered ${at}.`;
  if (uri !== undefined && URL.canParse(uri) && new URL(uri).href === new URL(url).href)
    return `Registered as ${agent}, whose file is this one ${at}.`;
  const named = uri === undefined || uri === "" ? "names no file" : `names another file: ${printable(uri)}`;
  return `The file says that it's of ${agent}, but that agent ${named} ${at}.`;
}
