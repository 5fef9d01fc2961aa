import { type Address, checksumAddress } from "viem";

const checksums = new Map<Address, Address>();
const MOST_CHECKSUMS = 50_000;

/**
 * An address with its EIP-55 checksum, kept for the next time: viem keeps some too, but to look one up there costs as
 * much as to read a whole row of a page.
 */
export function checksummed(address: Address): Address {
  let checksum = checksums.get(address);
  if (checksum === undefined) {
    checksum = checksumAddress(address);
    if (checksums.size >= MOST_CHECKSUMS) checksums.clear();
    checksums.set(address, checksum);
  }
  return checksum;
}
