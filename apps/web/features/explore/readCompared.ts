import "server-only";
import type { CanonicalDid, SearchResult } from "@app-registry/sdk";
import type { FactOutcomes } from "../../lib/record/factSummary.ts";
import { registry } from "../../lib/server/registry.ts";
import { readServiceDocument } from "../../lib/service/serviceDocument.ts";
import type { ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { rowOutcomes, type ServiceEntry, searchServices } from "./searchServices.ts";

/** A service of a comparison. */
export type Compared = {
  entry: ServiceEntry;
  outcomes: FactOutcomes;
  /** When the first version of the shown major was published, in Unix seconds. Undefined if the chain can't be read. */
  registeredAt: number | undefined;
  /** The publisher's document, or the reason that it can't be shown. */
  document: { ok: true; metadata: ServiceMetadata } | { ok: false; problem: { title: string } };
};

/** A DID that can't be compared. */
export type NotCompared = { did: CanonicalDid; title: string; why: string };

/** Number of major versions to read. The newest are read first. */
const MAX_MAJORS = 16;

/** Reads the highest Active major of a service, or the reason that it can't be compared. */
export async function readCompared(did: CanonicalDid): Promise<Compared | NotCompared> {
  const found = await searchServices({ did, status: "any", limit: MAX_MAJORS });
  if (!found.ok) return { did, title: found.failure.title, why: found.failure.why };
  const [entry] = found.rows;
  if (entry === undefined) {
    const why = "This registry has no record of the DID. The service may be registered on another chain.";
    return { did, title: "Service not registered", why };
  }
  const [outcomes, published] = await Promise.all([
    entry.outcomes ?? rowOutcomes(entry.result),
    readPublished(entry.result).catch(() => undefined),
  ]);
  return { entry, outcomes, ...(published ?? unread) };
}

const unread = {
  registeredAt: undefined,
  document: { ok: false, problem: { title: "Couldn't load the metadata document" } },
} as const;

async function readPublished({ did, major }: SearchResult) {
  const versions = await registry().client.listVersionRecords({ did, major });
  const shown = versions.at(-1);
  if (shown === undefined) return undefined;
  return { registeredAt: versions[0]?.version.registeredAt, document: await readServiceDocument(shown) };
}
