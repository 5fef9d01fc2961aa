import { parseDid } from "@app-registry/sdk";

/** A contract whose address a reader could take for another one of the same list. */
export type LookalikeContract = {
  /** The first of the others, by its record's token id. */
  tokenId: string;
  /** Places in the 40 digits of the address at which it differs from one of the others. */
  places: ReadonlySet<number>;
};

/** Equal digits at both ends together, from which on two addresses look alike: people read no more. */
const MIN_SHARED_DIGITS = 6;

/** Of the services of a list, by token id: those under a contract's address that looks like that of another one. */
export function findLookalikeContracts(
  listed: readonly { tokenId: string; did: string }[],
): Map<string, LookalikeContract> {
  const contracts = listed.flatMap(({ tokenId, did }) => {
    const parsed = parseDid(did);
    return parsed.method === "pkh" ? [{ tokenId, digits: parsed.address.slice(2).toLowerCase() }] : [];
  });
  const alike = new Map<string, LookalikeContract>();
  for (const { tokenId, digits } of contracts) {
    const others = contracts.filter((other) => other.digits !== digits && looksLike(digits, other.digits));
    const [first] = others;
    if (first === undefined) continue;
    const places = [...digits].flatMap((digit, place) =>
      others.some((other) => other.digits[place] !== digit) ? [place] : [],
    );
    alike.set(tokenId, { tokenId: first.tokenId, places: new Set(places) });
  }
  return alike;
}

function looksLike(one: string, other: string): boolean {
  const places = [...one].flatMap((digit, place) => (other[place] === digit ? [] : [place]));
  return (places.at(0) ?? 0) + one.length - 1 - (places.at(-1) ?? 0) >= MIN_SHARED_DIGITS;
}
