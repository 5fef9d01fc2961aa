import { getAddress, type Hex } from "viem";
import * as z from "zod/mini";

/** Returns a copy of a schema with a description for JSON Schema and OpenAPI. */
// @__NO_SIDE_EFFECTS__
export function described<Schema extends z.core.$ZodType>(schema: Schema, description: string): Schema {
  const copy = z.clone(schema);
  z.globalRegistry.add(copy, { description });
  return copy;
}

/**
 * Returns the schema of a hexadecimal text. A template literal would infer the type, but makes the type ten times as
 * large.
 */
const hexSchema = (pattern: RegExp, expected: string) =>
  z.string().check(z.regex(pattern, `expected ${expected}`)) as unknown as z.ZodMiniType<Hex, Hex>;

/** 20-byte address, `0x` and 40 hexadecimal digits. */
export const addressSchema = hexSchema(/^0x[0-9a-fA-F]{40}$/, "an address, 0x and 40 hexadecimal digits");

/** 20-byte address in any case. Parsing checksums it (EIP-55). */
export const checksummedAddressSchema = z.pipe(
  addressSchema,
  z.transform((address: Hex) => getAddress(address)),
);

/** 32 bytes, `0x` and 64 hexadecimal digits. */
export const hashSchema = hexSchema(/^0x[0-9a-fA-F]{64}$/, "a hash, 0x and 64 hexadecimal digits");

/** One or more whole bytes in hexadecimal. */
export const bytesSchema = hexSchema(/^0x([0-9a-fA-F]{2})+$/, "0x and whole bytes in hexadecimal");

/** Count, block number or time in seconds: a safe integer from 0. */
export const countSchema = z.int().check(z.nonnegative());
