import { ContractRevertError, type VersionedDid, VersionNotFoundError } from "@app-registry/sdk";
import { getLatestBlockNumber } from "@app-registry/sdk/internal";
import { registry } from "../../lib/server/registry.ts";
import { parseServicePath, type ServicePath } from "./servicePath.ts";
import { withinTimeout } from "./withinTimeout.ts";

/** What the chain said of a service before its page is rendered. */
export type ServicePrecheck = {
  /** The chain's latest block. */
  blockNumber: bigint;
  /** The highest registered major; that of a block later than `blockNumber` if one was registered in between. */
  highestMajor: number;
};

/** Request header that carries `Seen` from the proxy to a service's page; never taken from a client. */
export const precheckHeader = "x-app-registry-seen";

export const formatPrecheck = ({ blockNumber, highestMajor }: ServicePrecheck): string =>
  `${blockNumber} ${highestMajor}`;

/** Reads the header; undefined without one. */
export function parsePrecheck(text: string | null): ServicePrecheck | undefined {
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
export async function precheckService(rawPath: string): Promise<ServicePrecheck | "missing" | undefined> {
  const path = parseServicePath(rawPath);
  return path.kind === "invalid" ? "missing" : withinTimeout(readPrecheck(path), PATIENCE);
}

async function readPrecheck(
  path: Exclude<ServicePath, { kind: "invalid" }>,
): Promise<ServicePrecheck | "missing"> {
  const { client } = registry();
  const { did } = path;
  try {
    const [blockNumber, highestMajor] = await Promise.all([
      getLatestBlockNumber(client),
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
