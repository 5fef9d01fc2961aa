import { Piscina } from "piscina";
import type {
  ClassifiedDocument,
  classifyDocument,
  parseRecordedMetadata,
  toRecordLabels,
} from "./classifyDocument.ts";
import type { StoredDocument } from "./documents.ts";
import type { OffchainRecord } from "./records.ts";

/** Milliseconds for reading one document; the largest that the fetcher passes take about one second. */
const TIMEOUT = 10_000;

/** Reads documents in a thread of its own, so that no document holds up the indexer or its answers. */
export type DocumentReader = {
  /** @returns "no-document" too for a text that takes too much time or memory. */
  read(text: string, record: OffchainRecord): Promise<ClassifiedDocument>;
  label(content: StoredDocument["content"], record: OffchainRecord): Promise<StoredDocument["labels"]>;
  /** @returns undefined for a text that is not the recorded document, or takes too much time or memory. */
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
  let running: Promise<unknown> = Promise.resolve();
  /** One after the other: the time limit is a document's own, not that of those before it. */
  const inTurn = async <Result>(name: string, task: object): Promise<Result> => {
    const turn = running.then(() => thread.run(task, { name, signal: AbortSignal.timeout(timeout) }));
    running = turn.catch(() => undefined);
    return (await turn) as Result;
  };
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
