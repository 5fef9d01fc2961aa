import type { SearchResult } from "@app-registry/sdk";

/** The majors of one DID in a page of results. */
export type MajorGroup = {
  /** The one that leads: the highest Active major, or the highest when none is Active. */
  result: SearchResult;
  /** The others, the highest first. */
  others: SearchResult[];
};

/** The services of a page, each in the place of its first record. */
export function groupMajors(results: readonly SearchResult[]): MajorGroup[] {
  const services = new Map<string, SearchResult[]>();
  for (const result of results) services.set(result.did, [...(services.get(result.did) ?? []), result]);
  return [...services.values()].flatMap((majors) => {
    const [result, ...rest] = majors.toSorted(
      (one, other) => Number(other.status === 0) - Number(one.status === 0) || other.major - one.major,
    );
    return result ? [{ result, others: rest.toSorted((one, other) => other.major - one.major) }] : [];
  });
}
