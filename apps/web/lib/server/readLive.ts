import {
  didHash,
  type Fact,
  type LiveRecord,
  liveRecordSchema,
  type ReadLive,
  recordedLiveFact,
} from "@app-registry/sdk";
import { askIndexer, type IndexerAnswer, readAnswer } from "@app-registry/server/askIndexer";
import { RecentAnswers } from "@app-registry/server/RecentAnswers";
import type { Registry } from "./registry.ts";

type Source = Pick<Registry, "environment">;

/** Milliseconds that the index has to say what it knows, which all parts of one page share. */
const PATIENCE = 1_500;
const AGE = 1_000;

const answers = new RecentAnswers<IndexerAnswer | undefined>(500);

/** Where the index answers for a record. */
export const indexedLivePath = (did: string, major: number) => `/live/${didHash(did)}/${major}`;

/** What the prober knows of a record: "missing" when the index has no such record, undefined while it is away. */
export async function readLiveRecord(
  { environment }: Source,
  did: string,
  major: number,
): Promise<LiveRecord | "missing" | undefined> {
  const path = indexedLivePath(did, major);
  const answer = await answers.get(
    `${environment.indexerUrls} ${path}`,
    () => AGE,
    () => askIndexer(environment.indexerUrls, path, PATIENCE),
  );
  if (answer?.status === 404) return "missing";
  return answer?.status === 200 ? liveRecordSchema.safeParse(readAnswer(answer)).data : undefined;
}

/** The fact *live* of a version (major.minor.patch), as the index's prober knows it. Never throws. */
export async function readLiveFact(source: Source, did: string, version: string): Promise<Fact> {
  const record = await readLiveRecord(source, did, Number.parseInt(version, 10)).catch(() => undefined);
  if (typeof record === "object") return recordedLiveFact(record, version);
  const reason =
    record === "missing"
      ? "The index, whose prober asks it, does not have this record yet."
      : "The index, which knows what the prober was served, does not answer.";
  return { outcome: "unknown", reason, evidence: {} };
}

/** Reads the fact *live* for `verifyApp`. */
export const liveReader =
  (source: Source): ReadLive =>
  ({ did, version }) =>
    readLiveFact(source, did, version);
