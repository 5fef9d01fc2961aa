import "server-only";
import { getSite } from "@app-registry/outbound/site";
import { type Fact, parseVersion, type VerificationReport, verifyApp } from "@app-registry/sdk";
import { chainFactNames, getResultOutcomes } from "@app-registry/sdk/internal";
import { TtlCache } from "@app-registry/server/async";
import { isIncomplete } from "../record/facts.ts";
import { readLiveFact } from "../server/records/readLive.ts";
import { searchRegistry } from "../server/records/searchRegistry.ts";
import { type Block, registry } from "../server/registry.ts";
import { ANSWER_AGE, fetchHostDocument, SHORT_AGE } from "./serviceDocument.ts";

/** Reports with late or unanswered checks. "Check again" repeats them immediately. */
const incompleteReports = new WeakSet<VerificationReport>();

/** Reports, for a shorter time if the chain did not answer. "Check again" repeats unanswered checks of documents. */
const reports = new TtlCache<VerificationReport>(1_000, ({ facts: { record, control, attested } }) =>
  [record, control, attested].some(({ outcome }) => outcome === "unknown") ? SHORT_AGE : ANSWER_AGE,
);

const getRecheckAge = (report: VerificationReport): number => (incompleteReports.has(report) ? 0 : SHORT_AGE);

/** Time limit of the facts on a page and on a recheck, in milliseconds. Late facts are unknown. */
const PAGE_PATIENCE = 3_000;
const PATIENCE = 10_000;

type VerifyParameters = {
  did: string;
  /** Version as major.minor.patch. */
  version: string;
};

type VerifyAtBlock = VerifyParameters & {
  /** Latest block. A report is reused only at its block, so that a lost control shows with the next one. */
  block: Block;
  isRecheck?: boolean;
};

/**
 * Verifies one version of a service against the chain, the document's host and the live checks. Cached unless `isRecheck` is
 * set, which checks again unless someone just did. Live check results are always read. What can't be checked in time is
 * answered from the index.
 */
export async function verifyService(parameters: VerifyAtBlock): Promise<VerificationReport> {
  const { did, version } = parameters;
  const [report, live] = await Promise.all([
    verifyCached(parameters),
    readLiveFact(registry(), did, version),
  ]);
  const lastKnown = isIncomplete(report.facts) ? await readLastKnown(report) : {};
  return { ...report, facts: { ...report.facts, ...lastKnown, live } };
}

/** Reads the facts that a report lacks from the index, as they were at its block. */
async function readLastKnown({
  did,
  version,
  facts,
}: VerificationReport): Promise<Partial<VerificationReport["facts"]>> {
  const page = await searchRegistry(registry(), { did, status: "any" }).catch(() => undefined);
  const result = page?.results.find((one) => one.version === version);
  if (page === undefined || result?.facts === undefined) return {};
  const outcomes = getResultOutcomes(result);
  const known = chainFactNames.flatMap((name): [string, Fact][] => {
    const outcome = outcomes[name];
    if (facts[name].outcome !== "unknown" || outcome === undefined || outcome === "unknown") return [];
    const reason = `${facts[name].reason} At block ${page.block}, the search index had: ${outcome}.`;
    return [[name, { outcome, reason, evidence: { lastKnownAtBlock: page.block } }]];
  });
  return Object.fromEntries(known);
}

function verifyCached({ did, version, block, isRecheck = false }: VerifyAtBlock) {
  const { client } = registry();
  const verify = async () => {
    const report = await verifyApp({
      client,
      did,
      version: parseVersion(version),
      siteOf: getSite,
      blockNumber: block.number,
      timeoutMs: isRecheck ? PATIENCE : PAGE_PATIENCE,
      fetchDocument: async (url) => (await fetchHostDocument(url, { isRecheck })).text,
    });
    if (!isRecheck && isIncomplete(report.facts)) incompleteReports.add(report);
    return report;
  };
  return reports.get(`${did} ${version} ${block.hash}`, verify, isRecheck ? getRecheckAge : undefined);
}

/**
 * Verifies one version against the chain alone, for lists, without requests to other hosts. The content of a document
 * that is not on the chain stays unknown.
 */
export function verifyOnChain({ did, version }: VerifyParameters) {
  const { client } = registry();
  return reports.get(`${did} ${version} chain`, () =>
    verifyApp({ client, did, version: parseVersion(version), siteOf: getSite }),
  );
}
