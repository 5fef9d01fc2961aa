import type { Hex } from "viem";
import { keccak256, stringToBytes } from "viem/utils";
import { AppRegistryError, withoutKey } from "./errors/appRegistryError.ts";

/** Maximum number of traits of a record. */
export const MAX_TRAITS = 20;

/** Longest trait, in characters. */
export const MAX_TRAIT_LENGTH = 64;

/** Type of API, with the trait that declares it. */
export interface ApiType {
  trait: `api:${string}`;
  label: string;
}

/** API types that the wizard offers. Other `api:*` traits are also valid. */
export const apiTypes = [
  { trait: "api:rest", label: "REST" },
  { trait: "api:mcp", label: "MCP server" },
  { trait: "api:a2a", label: "A2A agent" },
  { trait: "api:graphql", label: "GraphQL" },
  { trait: "api:jsonrpc", label: "JSON-RPC" },
  { trait: "api:grpc", label: "gRPC" },
  { trait: "api:websocket", label: "WebSocket" },
] as const satisfies readonly ApiType[];

/** Thrown when the text is not a trait. `reason` explains how to fix it. */
export class InvalidTraitError extends AppRegistryError {
  override readonly name = "InvalidTraitError";
  readonly input: string;
  readonly reason: string;

  constructor(input: string, reason: string) {
    super(`Invalid trait: ${reason}`, { docsPath: "/identifiers#traits" });
    this.input = withoutKey(input);
    this.reason = reason;
  }
}

/**
 * Returns the canonical form of a trait: trimmed and lower-case.
 *
 * @throws {InvalidTraitError} unless the result has 1 to 64 of the characters `a-z 0-9 : . _ -` and starts with a
 * letter or digit.
 * @example
 * normalizeTrait(" API:REST "); // "api:rest"
 */
export function normalizeTrait(input: string): string {
  if (typeof input !== "string") throw new InvalidTraitError("", "A trait must be a text.");
  const trait = input.trim().toLowerCase();
  if (trait === "") throw new InvalidTraitError(input, "A trait can't be empty.");
  if (trait.length > MAX_TRAIT_LENGTH) {
    throw new InvalidTraitError(input, `A trait can have at most ${MAX_TRAIT_LENGTH} characters.`);
  }
  if (!/^[a-z0-9][a-z0-9:._-]*$/.test(trait)) {
    throw new InvalidTraitError(
      input,
      "A trait can contain lower-case letters a to z, digits and : . _ - and must start with a letter or digit.",
    );
  }
  return trait;
}

/**
 * Returns keccak256 of the UTF-8 bytes of the normalized trait, which the registry stores and search compares.
 *
 * @throws {InvalidTraitError}
 * @example
 * traitHash("api:rest");
 * // "0xb8e7a1dc2e74511e0bc25eb333db9b2c90208f0a613ebf7e2e8196af5ff53fe4"
 */
export function traitHash(trait: string): Hex {
  return keccak256(stringToBytes(normalizeTrait(trait)));
}
