import MiniSearch from "minisearch";
import type { CorpusDocument } from "./engine.ts";

/** Starts MiniSearch over a corpus, as a baseline that a client could run in memory. */
export function startMiniSearch(documents: readonly CorpusDocument[]): (q: string) => Promise<string[]> {
  const index = new MiniSearch<{ did: string }>({
    fields: ["name", "publisher", "traits", "description"],
    idField: "did",
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 3, publisher: 2, traits: 2 } },
  });
  index.addAll(
    documents.map(({ did, metadata: { name, publisher = "", traits = [], description = "" } }) => ({
      ...{ did, name, publisher, description },
      traits: traits.join(" "),
    })),
  );
  return async (q) => index.search(q).map(({ id }) => String(id));
}
