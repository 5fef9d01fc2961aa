import { getDidContract } from "@app-registry/sdk/internal";

/** A contract with an address that looks like another one in the same list. */
export type LookalikeContract = {
  /** Token ID of the first similar contract's record. */
  tokenId: string;
  /** Positions in the 40 digits at which the address differs from a similar one. */
  places: ReadonlySet<number>;
};

/** Number of equal digits, at both ends together, from which two addresses look alike. Few readers compare more. */
const MIN_SHARED_DIGITS = 6;

/** Finds the contracts of a list with similar addresses, by token ID. */
export function findLookalikeContracts(
  listed: readonly { tokenId: string; did: string }[],
): Map<string, LookalikeContract> {
  const contracts = listed.flatMap(({ tokenId, did }) => {
    const contract = getDidContract(did);
    return contract ? [{ tokenId, digits: contract.address.slice(2) }] : [];
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
