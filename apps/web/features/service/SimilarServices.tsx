import "server-only";
import { TtlCache } from "@app-registry/server/async";
import { LedgerSection } from "../../components/shell/shell.tsx";
import type { Block } from "../../lib/server/registry.ts";
import { ServiceList } from "../explore/ServiceList.tsx";
import { type ServiceEntry, searchServices } from "../explore/searchServices.ts";

/** Number of traits to search for, and of services to show. */
const MAX_TRAITS = 5;
const MAX_SIMILAR = 3;

/** Cache time at one block, in milliseconds. The index may be some seconds behind the block. */
const AGE = 30_000;

const answers = new TtlCache<ServiceEntry[]>(500, AGE);

/** Searches for active services that share a trait. A subject says more than an API type. */
export async function findSimilar(traits: readonly string[], { hash }: Block): Promise<ServiceEntry[]> {
  const subjects = traits.filter((trait) => !trait.startsWith("api:"));
  const shared = (subjects.length === 0 ? traits : subjects).slice(0, MAX_TRAITS);
  if (shared.length === 0) return [];
  return answers.get(`${shared} ${hash}`, async () => {
    const found = await searchServices({ traits: shared, match: "any", limit: MAX_SIMILAR + 1 });
    return found.ok ? found.rows : [];
  });
}

type SimilarServicesProps = { did: string; similar: Promise<ServiceEntry[]> };

/** Lists similar services. */
export async function SimilarServices({ did, similar }: SimilarServicesProps) {
  const rows = (await similar).filter(({ result }) => result.did !== did).slice(0, MAX_SIMILAR);
  if (rows.length === 0) return null;
  return (
    <LedgerSection title="Similar services">
      <ServiceList rows={rows} />
    </LedgerSection>
  );
}
