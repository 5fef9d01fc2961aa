import type { Hex } from "viem";
import { didHash, normalizeDid } from "../did.ts";

/** The didHash of a DID as a person may write it. Throws InvalidDidError. */
export const didKey = (did: string): Hex => didHash(normalizeDid(did));
