import "server-only";
import {
  type AppRegistryClient,
  type AppSummary,
  ContractRevertError,
  compareVersions,
  type Deployment,
  formatVersion,
  toAppRegistryError,
  type Version,
  type VersionedDid,
  VersionNotFoundError,
  type VersionRecord,
} from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/async";
import { headers } from "next/headers";
import { cache } from "react";
import type { Address } from "viem";
import { getBlock } from "viem/actions";
import { mainnet } from "viem/chains";
import { readCachedNewcomers } from "../../lib/control/newcomers.ts";
import { readEnsName } from "../../lib/server/accounts/ensName.ts";
import { type Block, registry } from "../../lib/server/registry.ts";
import {
  type PageProblem,
  readServiceDocument,
  type ServiceDocument,
} from "../../lib/service/serviceDocument.ts";
import { verifyService } from "../../lib/service/verifyService.ts";
import { readDidControl } from "../control/readControl.ts";
import { hasSharedName } from "../explore/searchServices.ts";
import {
  parsePrecheck,
  parseServicePath,
  precheckHeader,
  rawPathHeader,
  type ServicePrecheck,
} from "./servicePath.ts";
import { recentlyReplaced } from "./succession.ts";

/** One version of a service with everything its page shows except the verification. */
export type Service = {
  /** Block at which the service was read. */
  block: Block;
  record: VersionRecord;
  summary: AppSummary;
  /** Every version of this major, oldest first. */
  versions: VersionRecord[];
  /** Latest version of each registered major, highest first. */
  majors: { major: number; latest: Version }[];
  highestVersion: Version;
  /** True if this is the latest version of the highest major. */
  isHighest: boolean;
  holder: Account;
  minter: Account;
  deployment: Deployment;
  document: ServiceDocument;
};

export type LoadedService =
  | { ok: true; service: Service }
  | {
      ok: false;
      /** True if the registry certainly has no such service or version. */
      missing: boolean;
      /** Path of the request. */
      address: string;
      did?: string;
      problem: PageProblem;
    };

/**
 * Services by block and path. What the chain states cannot change before the next block. A service without its document
 * is not cached.
 */
const services = new TtlCache<Service>(100, ({ document }) => (document.ok ? 60_000 : 0));

/** Loads the service in the request's path, once per request. */
export const loadRequestedService = cache(async (): Promise<LoadedService> => {
  const asked = await headers();
  const address = asked.get(rawPathHeader) ?? "";
  const path = parseServicePath(address);
  if (path.kind === "invalid") {
    const title = "This link doesn't point to a service";
    return { ok: false, missing: true, address, problem: { title, why: path.reason, tone: "unknown" } };
  }
  const { did } = path;
  const read = (seen: ServicePrecheck | undefined) =>
    readService(did, path.kind === "version" ? path.version : undefined, seen);
  const readCached = (seen: ServicePrecheck | undefined) =>
    seen === undefined ? read(seen) : services.get(`${seen.block.hash} ${address}`, () => read(seen));
  try {
    const seen = parsePrecheck(asked.get(precheckHeader));
    // The precheck may have read a newer major than exists at its block: read again at the latest block.
    const service = await readCached(seen).catch((thrown) => {
      if (seen !== undefined && isAppNotFound(thrown)) return read(undefined);
      throw thrown;
    });
    return { ok: true, service };
  } catch (thrown) {
    return { ok: false, address, did, ...serviceProblem(did, thrown) };
  }
});

const isAppNotFound = (thrown: unknown): boolean =>
  thrown instanceof ContractRevertError && thrown.errorName === "AppNotFound";

function serviceProblem(did: string, thrown: unknown): { missing: boolean; problem: PageProblem } {
  if (isAppNotFound(thrown)) {
    const why = `There is no record for ${did} in this registry. The service may be registered on another chain.`;
    return { missing: true, problem: { title: "Service not registered", why, tone: "neutral" } };
  }
  if (thrown instanceof VersionNotFoundError) {
    const title = "Version not published";
    return { missing: true, problem: { title, why: thrown.shortMessage, tone: "neutral" } };
  }
  const error = toAppRegistryError(thrown);
  if (!error.retryable) throw thrown;
  const why = `${error.shortMessage} We can't check this service until the chain responds.`;
  const title = "Couldn't load this record";
  return { missing: false, problem: { title, why, detail: error.message, tone: "unknown" } };
}

async function readService(
  did: string,
  wanted: VersionedDid | undefined,
  seen: ServicePrecheck | undefined,
): Promise<Service> {
  const { client } = registry();
  // Read everything at one block, so that repeated reads share a request.
  const block = seen?.block ?? (await getBlock(client.publicClient));
  const blockNumber = block.number;
  ignoreRejections(readCachedNewcomers(did, block));
  const highestMajor = seen?.highestMajor ?? (await client.latestMajor(did, { blockNumber }));
  const major = wanted?.major ?? highestMajor;
  const reading = client.getAppSummary({ did, major, blockNumber });
  // Start reads that need only the DID now, so that they share the first round trip.
  const stored = client.getMetadata(did, { blockNumber });
  ignoreRejections(
    stored,
    client.getApp({ did, major, blockNumber }),
    client.getIssuers({ blockNumber }),
    client.getResolverPolicy({ blockNumber }),
    getBlock(client.publicClient, { blockNumber }),
  );
  if (wanted === undefined) {
    reading.then(
      (summary) => prefetchPageData(summary, block),
      () => undefined,
    );
  }
  const [summary, versions, majors] = await Promise.all([
    reading,
    client.listVersionRecords({ did, major, blockNumber }),
    readMajors(client, { did, highest: highestMajor, blockNumber }),
  ]);
  const record = wanted === undefined ? versions.at(-1) : findVersion(versions, wanted);
  if (record === undefined) throw new VersionNotFoundError(did, wanted ?? summary.latestVersion);
  if (wanted !== undefined) prefetchPageData({ ...summary, latestVersion: record.version }, block);
  const highestVersion = majors[0]?.latest ?? summary.latestVersion;
  const [holder, minter, document] = await Promise.all([
    resolveAccountName(summary.owner),
    resolveAccountName(summary.minter),
    readServiceDocument(record, await stored.catch(() => undefined)),
  ]);
  return {
    block: { number: blockNumber, hash: block.hash },
    record,
    summary,
    versions,
    majors,
    highestVersion,
    isHighest: compareVersions(record.version, highestVersion) === 0,
    holder,
    minter,
    deployment: client.deployment,
    document,
  };
}

/** Prefetches the facts, the controllers and the index's data, which later parts of the page await. */
function prefetchPageData(record: AppSummary, block: Block): void {
  const { did, tokenId, owner, minter, latestVersion } = record;
  ignoreRejections(
    verifyService({ did, version: formatVersion(latestVersion), block }),
    readDidControl({ did, record, block }),
    hasSharedName(String(tokenId), block),
    recentlyReplaced(owner),
    recentlyReplaced(minter),
  );
}

/** Marks rejections as handled, because another part of the page awaits these promises and reports their failure. */
function ignoreRejections(...answers: Promise<unknown>[]): void {
  for (const answer of answers) answer.catch(() => undefined);
}

/** Returns the requested version. `major.minor` means its latest patch. */
function findVersion(versions: VersionRecord[], { minor, patch }: VersionedDid): VersionRecord | undefined {
  return versions.findLast(
    ({ version }) => version.minor === minor && (patch === undefined || version.patch === patch),
  );
}

/** Maximum number of majors to list. Search finds those of a service with more. */
const MAX_MAJORS = 16;

/** Reads the registered majors, which may have gaps below the first registered one. */
async function readMajors(
  client: AppRegistryClient,
  { did, highest, blockNumber }: { did: string; highest: number; blockNumber: bigint },
): Promise<Service["majors"]> {
  const lowest = Math.max(0, highest - MAX_MAJORS + 1);
  const candidates = Array.from({ length: highest - lowest + 1 }, (_, index) => highest - index);
  const tokenIds = await Promise.all(
    candidates.map((major) => client.tokenIdOf({ did, major, blockNumber })),
  );
  const registered = candidates.filter((_, index) => tokenIds[index] !== 0n);
  return Promise.all(
    registered.map(async (major) => {
      const { latestVersion } = await client.getAppSummary({ did, major, blockNumber });
      return { major, latest: latestVersion };
    }),
  );
}

/** Account with its ENS name, if known. */
export type Account = { address: Address; ensName?: string };

const HOUR = 3_600_000;

const names = new TtlCache<string | undefined>(1_000, HOUR);

/**
 * Resolves an account's ENS name on Ethereum if `RPC_URL_1` is configured. Omits the name if the RPC does not respond.
 */
async function resolveAccountName(address: Address): Promise<Account> {
  const rpcUrl = registry().environment.chainRpcUrls.get(mainnet.id);
  if (rpcUrl === undefined) return { address };
  const ensName = await names
    .get(address, () => readEnsName({ rpcUrl, address, guardedFetch: registry().guardedFetch }))
    .catch(() => undefined);
  return ensName === undefined ? { address } : { address, ensName };
}
