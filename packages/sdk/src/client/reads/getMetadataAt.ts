import { type Address, hexToBytes } from "viem";
import { getCode } from "viem/actions";
import { AppRegistryError } from "../../errors/appRegistryError.ts";
import { toRpcError } from "../../errors/toRpcError.ts";
import type { ClientContext } from "../context.ts";

/** Thrown when the address has no metadata JSON. */
export class MetadataPointerError extends AppRegistryError {
  override readonly name = "MetadataPointerError";

  constructor(pointer: Address, cause?: unknown) {
    super(`There is no metadata JSON at ${pointer}.`, {
      action: "Use a pointer from a MetadataSet event on the same chain.",
      docsPath: "/sdk#versions",
      cause,
    });
  }
}

/**
 * Reads the metadata JSON that a `MetadataSet` event points to. The text is the code of a contract (SSTORE2: one zero
 * byte, then the text), so it never changes and can be cached forever.
 *
 * @throws {MetadataPointerError} when the address has no metadata JSON.
 * @example
 * const { pointer } = await client.getVersionRecord({ did, version: { major: 1, minor: 0, patch: 0 } });
 * const json = pointer && (await client.getMetadataAt(pointer));
 * json === metadataJson; // true
 */
export async function getMetadataAt(context: ClientContext, pointer: Address): Promise<string> {
  const code = await getCode(context.publicClient, { address: pointer }).catch((error) => {
    throw toRpcError(error);
  });
  if (!code?.startsWith("0x00")) throw new MetadataPointerError(pointer);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(hexToBytes(code).subarray(1));
  } catch (cause) {
    throw new MetadataPointerError(pointer, cause);
  }
}
