import type { Hex } from "viem";
import * as z from "zod";

/** Hexadecimal text of a pattern. A template literal would type it by itself, but weighs ten times as much. */
const hexSchema = (pattern: RegExp) => z.string().regex(pattern) as unknown as z.ZodType<Hex, Hex>;

/** A 20-byte address, `0x` and 40 hex digits. */
export const addressSchema = hexSchema(/^0x[0-9a-fA-F]{40}$/);

/** 32 bytes, `0x` and 64 hex digits. */
export const hashSchema = hexSchema(/^0x[0-9a-fA-F]{64}$/);

/** Any whole bytes but none. */
export const bytesSchema = hexSchema(/^0x([0-9a-fA-F]{2})+$/);
