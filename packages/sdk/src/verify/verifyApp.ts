import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { latestBlock } from "../client/latestBlock.ts";
import { withTimeLimit } from "../client/timeLimit.ts";
import { normalizeDid } from "../did.ts";
import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import type { VersionSelector } from "../version.ts";
import { formatVersion } from "../version.ts";
import { attestedFact } from "./attestedFact.ts";
import { contentFact } from "./contentFact.ts";
import { controlFact } from "./controlFact.ts";
import { noAnswer, unknown } from "./facts.ts";
import type { FetchDocument } from "./fetchDocument.ts";
import { type InTime, readChainCopy, readDataUrl } from "./readDocuments.ts";
import { missingRecordFact, recordFact } from "./recordFact.ts";
import type { Fact, VerificationReport } from "./report.ts";
import { requirementsFact } from "./requirementsFact.ts";
import { stepsWithoutRecord, verificationSteps } from "./steps.ts";
import { readTarget, type Target } from "./target.ts";

export type VerifyAppParameters = {
  client: AppRegistryClient;
  did: string;
  /** Default: the latest version of the latest major. `major.minor` alone means its latest patch. */
  version?: VersionSelector | undefined;
  /** Fetches the document at dataUrl; left out, only the chain's copy is looked at. */
  fetchDocument?: FetchDocument | undefined;
  /** For everything together; what has not answered by then is `unknown`. Default 10,000 ms. */
  timeoutMs?: number | undefined;
};

const noRecord = "There is no record whose document could be checked.";

/**
 * Verifies a service: five separate facts, each with outcome, reason and evidence, and the dataHash verification
 * step by step. A host or an RPC that does not answer makes a fact `unknown`, never an exception.
 *
 * @throws {InvalidDidError}, {@link WrongChainError} when the client's RPC serves another chain.
 * @example
 * const { facts } = await verifyApp({ client, did, fetchDocument });
 * Object.values(facts).every(({ outcome }) => outcome === "pass"); // true
 */
export async function verifyApp({
  client,
  did: input,
  version,
  fetchDocument,
  timeoutMs = 10_000,
}: VerifyAppParameters): Promise<VerificationReport> {
  const did = normalizeDid(input);
  const started = Date.now();
  const inTime: InTime = async (what, run) => {
    try {
      return await withTimeLimit(what, Math.max(1, started + timeoutMs - Date.now()), run);
    } catch (error) {
      throw toAppRegistryError(error);
    }
  };
  const report = { did, checkedAt: Math.floor(started / 1000) };
  let blockNumber: bigint | undefined;
  try {
    const block = await inTime(chain, () => latestBlock(client));
    blockNumber = block;
    const target = await inTime(chain, () => readTarget(client, did, version, block));
    return { ...report, ...(await verifyTarget(client, target, block, fetchDocument, inTime)) };
  } catch (error) {
    return { ...report, ...withoutRecord(error, blockNumber) };
  }
}

const chain = "The chain's RPC endpoint";

type Findings = Omit<VerificationReport, "did" | "checkedAt">;

async function verifyTarget(
  client: AppRegistryClient,
  target: Target,
  blockNumber: bigint,
  fetchDocument: FetchDocument | undefined,
  inTime: InTime,
): Promise<Findings> {
  const ask = (read: typeof controlFact): Promise<Fact> =>
    inTime(chain, () => read(client, target, blockNumber)).catch(noAnswer);
  const [control, attested, chainCopy, fetched] = await Promise.all([
    ask(controlFact),
    ask(attestedFact),
    readChainCopy(client, target, blockNumber, inTime),
    readDataUrl(target, fetchDocument, inTime),
  ]);
  const documents = [chainCopy, fetched].filter((document) => document !== undefined);
  return {
    version: formatVersion(target.version),
    tokenId: String(target.tokenId),
    blockNumber: Number(blockNumber),
    facts: {
      record: recordFact(target),
      control,
      content: contentFact(target, documents),
      attested,
      requirements: requirementsFact(target, documents),
    },
    steps: verificationSteps(target, fetched ?? chainCopy, attested),
  };
}

function withoutRecord(error: unknown, blockNumber: bigint | undefined): Findings {
  const record = missingRecordFact(error);
  const unchecked = unknown(record.outcome === "fail" ? "There is no record to check." : record.reason);
  return {
    version: null,
    tokenId: null,
    blockNumber: blockNumber === undefined ? null : Number(blockNumber),
    facts: { record, control: unchecked, content: unchecked, attested: unchecked, requirements: unchecked },
    steps: stepsWithoutRecord(record.outcome === "fail" ? noRecord : record.reason),
  };
}
