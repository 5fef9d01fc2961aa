import { createPublicClient, type Hex, keccak256, sha256 } from "viem";
import { createRpcTransport } from "../createRpcTransport.ts";

/** Reader of a contract's code. Returns `undefined` if it has no code. */
type GetCode = (address: Hex) => Promise<Hex | undefined>;

/** Returns the document stored at a `MetadataSet` pointer: its code after the leading zero byte. */
function documentBytes(code: Hex | undefined, dataHash: Hex): Uint8Array | undefined {
  if (!code?.startsWith("0x00")) return undefined;
  const bytes = Buffer.from(code.slice(4), "hex");
  return keccak256(bytes) === dataHash || sha256(bytes) === dataHash ? bytes : undefined;
}

/**
 * Reads the JSON that hashes to `dataHash` from its pointer's code.
 *
 * The code never changes, so `getCode` may use a cache. After a reorganization, the cached address can hold another
 * document. If the cached code has another hash, this function requests the code from the RPC.
 *
 * @returns `undefined` if the RPC has no such document because the event's block is no longer part of the chain.
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
