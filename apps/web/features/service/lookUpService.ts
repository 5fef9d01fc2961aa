import { ContractRevertError, type VersionedDid, VersionNotFoundError } from "@app-registry/sdk";
import { latestBlock } from "@app-registry/sdk/internal";
import { registry } from "../../lib/server/registry.ts";
import { parseServicePath, type ServicePath } from "./servicePath.ts";
import { withPatience } from "./withPatience.ts";

/** What the chain said of a service before its page is rendered. */
export type Seen = {
  /** The chain's latest block. */
  blockNumber: bigint;
  /** The highest registered major; that of a block later than `blockNumber` if one was registered in between. */
  highestMajor: number;
};

/** Request header that carries `Seen` from the proxy to a service's page; never taken from a client. */
export const seenHeader = "x-app-registry-seen";

export const formatSeen = ({ blockNumber, highestMajor }: Seen): string => `${blockNumber} ${highestMajor}`;

/** Reads the header; undefined without one. */
export function parseSeen(text: string | null): Seen | undefined {
  const [blockNumber, highestMajor] = text?.split(" ") ?? [];
  if (blockNumber === undefined || highestMajor === undefined) return undefined;
  return { blockNumber: BigInt(blockNumber), highestMajor: Number(highestMajor) };
}

/** Milliseconds after which the page is left to say what it finds. */
const PATIENCE = 2_000;

/**
 * Looks a service up by its path, in one round trip.
 * @returns "missing" when the registry surely holds no such service or version; undefined while the chain does not
 * answer in time, when nothing is known.
 */
export async function lookUpService(rawPath: string): Promise<Seen | "missing" | undefined> {
  const path = parseServicePath(rawPath);
  return path.kind === "invalid" ? "missing" : withPatience(see(path), PATIENCE);
}

async function see(path: Exclude<ServicePath, { kind: "invalid" }>): Promise<Seen | "missing"> {
  const { client } = registry();
  const { did } = path;
  try {
    const [blockNumber, highestMajor] = await Promise.all([
      latestBlock(client),
      client.latestMajor(did),
      path.kind === "version" ? findVersion(did, path.version) : undefined,
    ]);
    return { blockNumber, highestMajor };
  } catch (error) {
    const isAbsent = error instanceof ContractRevertError && error.errorName === "AppNotFound";
    if (isAbsent || error instanceof VersionNotFoundError) return "missing";
    throw error;
  }
}

async function findVersion(did: string, wanted: VersionedDid): Promise<void> {
  const { versionHistory } = await registry().client.getApp({ did, major: wanted.major });
  const found = versionHistory.some(
    ({ minor, patch }) => minor === wanted.minor && (wanted.patch === undefined || patch === wanted.patch),
  );
  if (!found) throw new VersionNotFoundError(did, wanted);
}
