import { RecordedDocumentError, readRecordedDocument } from "@app-registry/outbound";
import type { AppSummary, CanonicalDid } from "@app-registry/sdk";
import { getLatestBlockNumber, undefinedIfNotRegistered } from "@app-registry/sdk/internal";
import type { Hex } from "viem";
import { attestStatement, liveAttestations } from "./attestStatement.ts";
import type { IssuerContext } from "./issuerContext.ts";
import { type AttestationOutcome, createFailedOutcome, type FailedOutcome } from "./verifyAndAttestSchema.ts";

/**
 * Attests the current dataHash of a record if its minter or holder controls the DID and the document matches the hash.
 * Does nothing if it is attested and not due for renewal. The hash comes from the record, never from the caller.
 */
export async function attestDataHash(
  context: IssuerContext,
  { did, major }: { did: CanonicalDid; major?: number | undefined },
): Promise<AttestationOutcome> {
  const blockNumber = await getLatestBlockNumber(context);
  // Read everything at one block, so that a concurrent update can't mix two versions.
  const record = await findRecord(context, did, major, blockNumber);
  if (!record) {
    const what = major === undefined ? did : `Major version ${major} of ${did}`;
    return createFailedOutcome(
      "app-not-found",
      `${what} is not registered, so there is no dataHash to attest.`,
    );
  }
  const statement = { schema: "data-hash", did, subject: record.dataHash } as const;
  return attestStatement(context, {
    statement,
    readAt: blockNumber,
    async find({ txHash, blockNumber: at = blockNumber }) {
      const attestations = await liveAttestations(context, statement, { txHash, blockNumber: at });
      if (attestations.length === 0) return undefined;
      return { status: "attested", attestations, txHashes: txHash ? [txHash] : [] };
    },
    check: async () => (await findDataHashRefusal(sendFetches(context), did, record, blockNumber)) ?? {},
  });
}

/** Returns the context with a fetcher whose requests `sendCheck` sends. A copy on the chain needs none. */
const sendFetches = ({ client, guardedFetch, sendCheck }: IssuerContext): FetchingContext => ({
  client,
  guardedFetch: {
    fetchDocument: (url, options) =>
      sendCheck({ url: String(url), send: () => guardedFetch.fetchDocument(url, options) }),
  },
});

type FetchingContext = Pick<IssuerContext, "client"> & {
  guardedFetch: Pick<IssuerContext["guardedFetch"], "fetchDocument">;
};

/** Returns the reason not to attest the hash of a record, or `undefined` if it may be attested. */
export async function findDataHashRefusal(
  { client, guardedFetch }: FetchingContext,
  did: CanonicalDid,
  { minter, owner, latestVersion }: AppSummary,
  blockNumber: bigint,
): Promise<FailedOutcome | undefined> {
  const counting = await Promise.all(
    [minter, owner].map((controller) => client.checkDid({ did, controller, blockNumber })),
  );
  if (!counting.some(Boolean)) {
    return createFailedOutcome(
      "record-not-controlled",
      `Neither the minter nor the holder of the record currently controls ${did}.`,
    );
  }
  try {
    const version = await client.getVersionRecord({ did, version: latestVersion, blockNumber });
    await readRecordedDocument({ client, guardedFetch, record: version });
    return undefined;
  } catch (error) {
    if (!(error instanceof RecordedDocumentError)) throw error;
    return createFailedOutcome(error.code, error.shortMessage, { retryable: error.retryable });
  }
}

async function findRecord(
  { client }: Pick<IssuerContext, "client">,
  did: CanonicalDid,
  major: number | undefined,
  blockNumber: bigint,
): Promise<AppSummary | undefined> {
  const wanted = major ?? (await undefinedIfNotRegistered(client.latestMajor(did, { blockNumber })));
  if (wanted === undefined) return undefined;
  return undefinedIfNotRegistered(client.getAppSummary({ did, major: wanted, blockNumber }));
}

/** Finds the record of a DID with a given current hash. If several match, returns the latest major version. */
export async function findRecordByDataHash(
  context: Pick<IssuerContext, "client">,
  did: CanonicalDid,
  dataHash: Hex,
  blockNumber: bigint,
): Promise<AppSummary | undefined> {
  let record = await findRecord(context, did, undefined, blockNumber);
  for (let major = record?.latestVersion.major ?? 0; record?.dataHash !== dataHash; ) {
    if (major === 0) return undefined;
    major -= 1;
    record = await findRecord(context, did, major, blockNumber);
  }
  return record;
}
