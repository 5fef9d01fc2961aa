import pLimit from "p-limit";
import { Piscina } from "piscina";
import type {
  ClassifiedDocument,
  classifyDocument,
  parseRecordedMetadata,
  toRecordLabels,
} from "./classifyDocument.ts";
import type { StoredDocument } from "./documents.ts";
import type { OffchainRecord } from "./records.ts";

/** Time limit for reading one document, in milliseconds. The largest that the fetcher accepts take about a second. */
const TIMEOUT = 10_000;

/** Reader that runs in its own thread, so that no document delays the indexer or its API. */
export type DocumentReader = {
  /** Classifies a text. Returns "no-document" also for a text that needs too much time or memory. */
  read(text: string, record: OffchainRecord): Promise<ClassifiedDocument>;
  label(content: StoredDocument["content"], record: OffchainRecord): Promise<StoredDocument["labels"]>;
  /** Returns `undefined` if the text is not the recorded document or needs too much time or memory. */
  metadata(text: string, record: RecordedHash): Promise<ReturnType<typeof parseRecordedMetadata>>;
  close(): Promise<void>;
};

type RecordedHash = Parameters<typeof parseRecordedMetadata>[0]["record"];

export function createDocumentReader(timeout = TIMEOUT): DocumentReader {
  const thread = new Piscina<unknown, unknown>({
    filename: new URL("./classifyDocument.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // Run one task at a time, so that waiting for other documents does not use up a document's time limit.
  const limit = pLimit(1);
  const inTurn = <Result>(name: string, task: object) =>
    limit(() => thread.run(task, { name, signal: AbortSignal.timeout(timeout) }) as Promise<Result>);
  return {
    async read(text, record) {
      try {
        return await inTurn<ReturnType<typeof classifyDocument>>("classifyDocument", { text, record });
      } catch {
        return { is: "no-document", reason: "The document needs too much time or memory to process." };
      }
    },
    label: (content, record) =>
      inTurn<ReturnType<typeof toRecordLabels>>("toRecordLabels", { content, record }),
    metadata: (text, record) =>
      inTurn<ReturnType<typeof parseRecordedMetadata>>("parseRecordedMetadata", { text, record }).catch(
        () => undefined,
      ),
    close: () => thread.destroy(),
  };
}
