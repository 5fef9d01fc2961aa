import "server-only";
import { getSite } from "@app-registry/outbound/site";
import { parseVersion, type VerificationReport, verifyApp } from "@app-registry/sdk";
import { TtlCache } from "@app-registry/server/TtlCache";
import { isIncomplete } from "../record/facts.ts";
import { readLiveFact } from "../server/readLive.ts";
import { registry } from "../server/registry.ts";

/** Cache time of a report shared by all visitors, in milliseconds. */
const REPORT_AGE = 60_000;
/** Cache time of a report with an unanswered check, and minimum time between rechecks, in milliseconds. */
const SHORT_AGE = 5_000;

/** Reports with late or unanswered checks. "Check again" repeats them immediately. */
const incompleteReports = new WeakSet<VerificationReport>();

const reports = new TtlCache<VerificationReport>(1_000);

const reportAge = ({ facts }: VerificationReport): number => (isIncomplete(facts) ? SHORT_AGE : REPORT_AGE);

const getRecheckAge = (report: VerificationReport): number => (incompleteReports.has(report) ? 0 : SHORT_AGE);

/** Time limit of the facts on a page and on a recheck, in milliseconds. Late facts are unknown. */
const PAGE_PATIENCE = 3_000;
const PATIENCE = 10_000;

/** Returns the cache time of a report for lists, in which documents off the chain always stay unknown. */
function listAge({ blockNumber }: VerificationReport): number {
  return blockNumber === null ? SHORT_AGE : REPORT_AGE;
}

type VerifyParameters = {
  did: string;
  /** Version as major.minor.patch. */
  version: string;
  /** Block that the page shows. Default: the latest. */
  blockNumber?: bigint;
};

/**
 * Verifies one version of a service against the chain, the document's host and the live checks. Cached unless `isRecheck` is
 * set, which checks again unless someone just did. Live check results are always read.
 */
export async function verifyService(parameters: VerifyParameters & { isRecheck?: boolean }) {
  const { did, version } = parameters;
  const [report, live] = await Promise.all([
    verifyCached(parameters),
    readLiveFact(registry(), did, version),
  ]);
  return { ...report, facts: { ...report.facts, live } };
}

function verifyCached({
  did,
  version,
  blockNumber,
  isRecheck = false,
}: VerifyParameters & { isRecheck?: boolean }) {
  const { client, guardedFetch } = registry();
  return reports.get(`${did} ${version}`, isRecheck ? getRecheckAge : reportAge, async () => {
    const report = await verifyApp({
      client,
      did,
      version: parseVersion(version),
      siteOf: getSite,
      blockNumber,
      timeoutMs: isRecheck ? PATIENCE : PAGE_PATIENCE,
      fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
    });
    if (!isRecheck && isIncomplete(report.facts)) incompleteReports.add(report);
    return report;
  });
}

/**
 * Verifies one version against the chain alone, for lists, without requests to other hosts. The content of a document
 * that is not on the chain stays unknown.
 */
export function verifyOnChain({ did, version }: VerifyParameters) {
  const { client } = registry();
  return reports.get(`${did} ${version} chain`, listAge, () =>
    verifyApp({ client, did, version: parseVersion(version), siteOf: getSite }),
  );
}
