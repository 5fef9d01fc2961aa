import { printable } from "@app-registry/outbound/internal";
import { isJsonObject } from "@app-registry/sdk";
import type { Address } from "viem";
import { isAddressEqual } from "viem/utils";
import * as z from "zod";

/** Verification method, with the terms that may disqualify it. */
type Method = { id: string; [term: string]: unknown };

/** Values that a method is checked against. */
export type MethodContext = {
  /** DID of the document with the method. */
  did: string;
  wallet: Address;
  /** Time of the check, in Unix milliseconds. */
  now: number;
};

/**
 * Returns the reason a verification method is unusable, or `undefined` if it is usable. Follows W3C Controlled
 * Identifiers 1.0, DID Core, RFC 7517 for `use` and `key_ops`, and OpenID Federation 1.0 for `exp`, `nbf` and `revoked`
 * of a JSON Web Key. A term that can't be interpreted disqualifies the method.
 */
export function findMethodProblem(method: Method, context: MethodContext): string | undefined {
  const { did, wallet, now } = context;
  if (!isOwnId(method.id, did)) return "its id must be this DID plus a fragment (#…)";
  if (!isController(method.controller, did, wallet)) {
    return "its controller is neither this DID nor the listed wallet";
  }
  if (!isFalse(method.deactivated)) return "its deactivated property is set and is not false";
  return (
    findLeakedPrivateKey(method) ??
    findExpiryProblem("revoked", method.revoked, now) ??
    findExpiryProblem("expires", method.expires, now) ??
    findJwkProblem(method.publicKeyJwk, now)
  );
}

/** Returns the absolute DID URL of an `id` or a reference in the document of `did`. */
export function absoluteId(id: string, did: string): string {
  return id.startsWith("#") ? `${did}${id}` : id;
}

/** Returns true if a flag is absent or false. Any other value may mean true. */
export const isFalse = (flag: unknown): boolean => flag === undefined || flag === false;

/**
 * Returns true if an `id` is the DID with a fragment. With a path or a query it would be a method of another resource
 * (Controlled Identifiers, Retrieve Verification Method).
 */
function isOwnId(id: string, did: string): boolean {
  const [resource, fragment, ...more] = absoluteId(id, did).split("#");
  return resource === did && fragment !== undefined && fragment !== "" && more.length === 0;
}

/**
 * Returns true if a method's controller is this DID or the wallet's own did:pkh, or is absent. By DID Core, a method
 * with another controller is a statement of that DID.
 */
function isController(controller: unknown, did: string, wallet: Address): boolean {
  if (controller === undefined || controller === did) return true;
  if (typeof controller !== "string") return false;
  const account = /^did:pkh:eip155:[1-9][0-9]{0,31}:(0x[0-9a-fA-F]{40})$/.exec(controller)?.[1];
  return account !== undefined && isAddressEqual(account as Address, wallet);
}

/** Private members of JSON Web Keys in the IANA registry. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];

function findLeakedPrivateKey({ publicKeyJwk: jwk, ...method }: Method): string | undefined {
  const member = isJsonObject(jwk) ? privateMembers.find((name) => Object.hasOwn(jwk, name)) : undefined;
  const property = Object.keys(method).find((name) => /^(secret|private)Key/.test(name));
  const advice = "remove it from the web immediately and use a new key";
  if (member) return `publicKeyJwk contains a private key (${member}): ${advice}`;
  return property && `${printable(property, 60)} contains a private key: ${advice}`;
}

/**
 * Schema of a `dateTimeStamp` (XML Schema 1.1, part 2), the time format of Controlled Identifiers 1.0. It does not
 * accept the hour 24 or years without exactly four digits.
 */
const timeStamp = z
  .string()
  .regex(/T\d\d:\d\d:\d\d/)
  .max(64)
  .pipe(z.iso.datetime({ offset: true }))
  .transform((text) => Date.parse(text))
  .pipe(z.number());

/** Returns the reason a method is revoked or expired, or `undefined` if the time in the property has not come. */
function findExpiryProblem(property: "revoked" | "expires", value: unknown, now: number): string | undefined {
  if (value === undefined) return undefined;
  const time = timeStamp.safeParse(value);
  if (!time.success) {
    const state = property === "revoked" ? "revoked" : "expired";
    return `its ${property} is not a valid time such as 2026-01-31T00:00:00Z, so it is treated as ${state}`;
  }
  if (now < time.data) return undefined;
  return `${property === "revoked" ? "was revoked" : "expired"} at ${value}`;
}

const operations = z.array(z.string()).refine((names) => new Set(names).size === names.length);

function findJwkProblem(jwk: unknown, now: number): string | undefined {
  if (!isJsonObject(jwk)) return undefined;
  const { key_ops, use, exp, nbf, revoked } = jwk;
  if (key_ops !== undefined) {
    const { data: names = [] } = operations.safeParse(key_ops);
    const contradictsUse = use !== undefined && names.some((name) => name !== "verify" && name !== "sign");
    if (!names.includes("verify") || contradictsUse) {
      return "its publicKeyJwk is not for verifying signatures (key_ops)";
    }
  }
  if (revoked !== undefined) return "its publicKeyJwk is revoked";
  if (exp !== undefined) {
    if (typeof exp !== "number")
      return "exp in its publicKeyJwk is not a number of seconds, so it is treated as expired";
    if (now >= exp * 1_000) return `its publicKeyJwk expired at ${exp} (exp)`;
  }
  if (nbf !== undefined) {
    if (typeof nbf !== "number")
      return "nbf in its publicKeyJwk is not a number of seconds, so it is treated as not valid yet";
    if (now < nbf * 1_000) return `its publicKeyJwk is not valid before ${nbf} (nbf)`;
  }
  return undefined;
}
