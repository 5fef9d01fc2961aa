import { createPublicClient, type Hex, keccak256, sha256 } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

/** Reads the code of a contract; undefined when there is none. */
type GetCode = (address: Hex) => Promise<Hex | undefined>;

/** The bytes of a document that a `MetadataSet` pointer holds: its code behind the leading zero byte. */
function documentBytes(code: Hex | undefined, dataHash: Hex): Uint8Array | undefined {
  if (!code?.startsWith("0x00")) return undefined;
  const bytes = Buffer.from(code.slice(4), "hex");
  return keccak256(bytes) === dataHash || sha256(bytes) === dataHash ? bytes : undefined;
}

/**
 * Reads the JSON that hashes to `dataHash` from its pointer's code.
 *
 * The code never changes, so `getCode` may answer from a cache. After a reorganisation another document can stand
 * at the address that a cache remembers: when the cached code has another hash, the node is asked again.
 *
 * @returns undefined when the node has no such document, because the event's block is no longer part of the chain.
 */
export async function readDocument(
  pointer: Hex,
  dataHash: Hex,
  getCode: GetCode,
): Promise<Uint8Array | undefined> {
  const cached = documentBytes(await getCode(pointer), dataHash);
  if (cached) return cached;
  const node = createPublicClient({ transport: createRpcTransport() });
  for (const delay of [0, 250, 1000, 2000]) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    const bytes = documentBytes(await node.getCode({ address: pointer }), dataHash);
    if (bytes) return bytes;
  }
  return undefined;
}
