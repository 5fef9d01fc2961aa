import * as z from "zod";

/** A 20-byte address, `0x` and 40 hex digits. */
export const addressSchema = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{40}$/)]);

/** 32 bytes, `0x` and 64 hex digits. */
export const hashSchema = z.templateLiteral(["0x", z.string().regex(/^[0-9a-fA-F]{64}$/)]);
