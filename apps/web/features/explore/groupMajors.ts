import type { SearchResult } from "@app-registry/sdk";

/** Major versions of one DID on a page of results. */
export type MajorGroup = {
  /** Highest Active major version, or the highest if none is Active. */
  result: SearchResult;
  /** Other major versions, highest first. */
  others: SearchResult[];
};

/** Groups results by DID. Each group has the position of its first record. */
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
