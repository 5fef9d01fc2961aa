import { LRUCache } from "lru-cache";
import { type Address, checksumAddress } from "viem";

/** viem keeps checksums too, but to look one up there costs as much as to read a whole row of a page. */
const checksums = new LRUCache<Address, Address>({
  max: 50_000,
  memoMethod: (address) => checksumAddress(address),
});

/** An address with its EIP-55 checksum. */
export const checksummed = (address: Address): Address => checksums.memo(address);
