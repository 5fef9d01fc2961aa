import {
  ContractRevertError,
  InvalidDidError,
  InvalidVersionError,
  parseDidPath,
  parseVersionedDidPath,
  type VersionedDid,
  VersionNotFoundError,
} from "@app-registry/sdk";
import { withinTimeout } from "@app-registry/server/async";
import { getBlock } from "viem/actions";
import { type Block, registry } from "../../lib/server/registry.ts";

/**
 * Request header that passes the undecoded path from the proxy to a service's page. The proxy overwrites it in client
 * requests.
 */
export const rawPathHeader = "x-app-registry-path";

/** Content of a service page's path. */
export type ServicePath =
  | { kind: "latest"; did: string }
  | { kind: "version"; did: string; version: VersionedDid }
  | { kind: "invalid"; reason: string };

/** Parses `/apps/<did>` or `/apps/<did>/v/<version>` from the undecoded path. */
export function parseServicePath(rawPath: string): ServicePath {
  const rest = rawPath.replace(/^\/apps\//, "").replace(/\/$/, "");
  try {
    if (!rest.includes("/v/")) return { kind: "latest", did: parseDidPath(rest) };
    const version = parseVersionedDidPath(rest);
    return { kind: "version", did: version.did, version };
  } catch (error) {
    if (error instanceof InvalidDidError || error instanceof InvalidVersionError) {
      return { kind: "invalid", reason: error.reason };
    }
    throw error;
  }
}

/** Chain state of a service before its page is rendered. */
export type ServicePrecheck = {
  /** Latest block of the chain. */
  block: Block;
  /** Highest registered major, which may be from a later block. */
  highestMajor: number;
};

/**
 * Request header that passes `ServicePrecheck` from the proxy to a service's page. The proxy removes it from client
 * requests.
 */
export const precheckHeader = "x-app-registry-seen";

export const formatPrecheck = ({ block, highestMajor }: ServicePrecheck): string =>
  `${block.number} ${block.hash} ${highestMajor}`;

/** Parses the header. Returns `undefined` without one. */
export function parsePrecheck(text: string | null): ServicePrecheck | undefined {
  const [number, hash, highestMajor] = text?.split(" ") ?? [];
  if (number === undefined || hash === undefined || highestMajor === undefined) return undefined;
  return { block: { number: BigInt(number), hash }, highestMajor: Number(highestMajor) };
}

/** Time limit of the precheck in milliseconds, after which the page itself reports the result. */
const PATIENCE = 2_000;

/**
 * Reads a service by its path in one round trip.
 * @returns "missing" if the registry certainly has no such service or version, or `undefined` if the chain does not
 *   respond in time.
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
    const [block, highestMajor] = await Promise.all([
      getBlock(client.publicClient),
      client.latestMajor(did),
      path.kind === "version" ? findVersion(did, path.version) : undefined,
    ]);
    return { block, highestMajor };
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
