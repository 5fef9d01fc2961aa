import * as z from "zod/mini";
import type { Did } from "./did.ts";
import { getDidContract } from "./didMethods.ts";
import { stringSchema } from "./schemas.ts";

const CHAIN = "[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}";
const ASSET = "[-a-z0-9]{3,8}:[-.%a-zA-Z0-9]{1,128}(?:/[-.%a-zA-Z0-9]{1,78})?";

/** Longest contractId or fungibleTokenId of a record, in bytes. */
export const MAX_CAIP_LENGTH = 256;

/** Chain id (CAIP-2), such as `eip155:1`. */
export const caip2Schema = stringSchema.check(
  z.regex(new RegExp(`^${CHAIN}$`), { error: "Write the chain as CAIP-2, for example eip155:1." }),
);

/** Account id (CAIP-10), such as `eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb`. */
export const caip10Schema = stringSchema.check(
  z.regex(new RegExp(`^${CHAIN}:[-.%a-zA-Z0-9]{1,128}$`), {
    error: "Write the account as CAIP-10, for example eip155:1:0x… with 40 hexadecimal digits.",
  }),
);

/** Asset type or asset id (CAIP-19), such as `eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f`. */
export const caip19Schema = stringSchema.check(
  z.regex(new RegExp(`^${CHAIN}/${ASSET}$`), {
    error: "Write the token as CAIP-19, for example eip155:1/erc20:0x… with 40 hexadecimal digits.",
  }),
  z.maxLength(MAX_CAIP_LENGTH, { error: `A token id has at most ${MAX_CAIP_LENGTH} characters.` }),
);

/**
 * Returns the account id (CAIP-10) of the contract that a did:pkh names, with a lower-case address. Returns `undefined`
 * for a DID without contract.
 *
 * @throws {InvalidDidError}
 * @example
 * getContractId("did:pkh:eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f");
 * // "eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f"
 */
export function getContractId(did: string | Did): string | undefined {
  const contract = getDidContract(did);
  return contract && `eip155:${contract.chainId}:${contract.address}`;
}
