import "server-only";
import { parseVersion, type VerificationReport, verifyApp } from "@app-registry/sdk";
import { registry } from "../../lib/server/registry.ts";
import { RecentAnswers } from "./RecentAnswers.ts";

/** A report is shown to everyone for this long. */
const REPORT_AGE = 60_000;
/** "Check again" asks the hosts no more often than this. */
const REPORT_AGE_ANEW = 5_000;

const reports = new RecentAnswers<VerificationReport>(1_000);

type VerifyServiceParameters = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** Asks again, unless somebody did within five seconds. */
  anew?: boolean;
};

/** Verifies one version of a service, with the chain and the document's host. */
export function verifyService({
  did,
  version,
  anew = false,
}: VerifyServiceParameters): Promise<VerificationReport> {
  const { client, guardedFetch } = registry();
  return reports.get(`${did} ${version}`, anew ? REPORT_AGE_ANEW : REPORT_AGE, () =>
    verifyApp({
      client,
      did,
      version: parseVersion(version),
      fetchDocument: async (url, { signal }) => (await guardedFetch.fetchDocument(url, { signal })).text,
    }),
  );
}

/**
 * Verifies one version against the chain alone, for lists: no host of a stranger's is asked. A document that is not
 * on the chain stays unknown.
 */
export function verifyOnChain({
  did,
  version,
}: {
  did: string;
  version: string;
}): Promise<VerificationReport> {
  const { client } = registry();
  return reports.get(`${did} ${version} chain`, REPORT_AGE, () =>
    verifyApp({ client, did, version: parseVersion(version) }),
  );
}
