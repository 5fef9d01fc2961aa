import { getRelation, type SearchResult } from "@app-registry/sdk";

type DidChoice = {
  did: string;
  /** Record of the DID; `null` without one, `undefined` while unknown. */
  record: SearchResult | null | undefined;
};

/**
 * Orders the DIDs that a service could have: that of its own record first. If another service has the host's DID, the
 * path's DID comes before the others.
 *
 * @param urls URLs of the service's endpoints
 */
export function orderDids<Choice extends DidChoice>(
  choices: readonly Choice[],
  urls: readonly unknown[],
): Choice[] {
  const isOwn = ({ record }: DidChoice) => record?.endpoints?.some(({ endpoint }) => urls.includes(endpoint));
  const isTaken = (choice: DidChoice) => choice.record != null && !isOwn(choice);
  const isPath = ({ did }: DidChoice) => did.split(":").length > 3;
  const isSecond = choices.some((choice) => isTaken(choice) && !isPath(choice));
  const rank = (choice: DidChoice) =>
    isOwn(choice) ? 0 : isTaken(choice) ? 3 : isSecond && !isPath(choice) ? 2 : 1;
  return choices.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns true if a DID is one of those of an address, or names the host or the path of all its endpoints. */
export const matchesAddress = (
  did: string,
  choices: readonly Pick<DidChoice, "did">[],
  urls: readonly string[],
): boolean =>
  choices.some((choice) => choice.did === did) ||
  (urls.length > 0 && urls.every((url) => getRelation(did, url).startsWith("same")));
