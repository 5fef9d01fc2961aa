import { InvalidDidError, MAX_DID_LENGTH, normalizeDid } from "../did.ts";

const form = /^did:(web|pkh):([^:%]*)(.*)$/is;

/** Characters that a canonical DID cannot contain. */
const forbidden = /[^!-~]|[/?#@]/;

/**
 * Returns the canonical form of a DID prefix: scheme, method, host and address in lower case, percent triplets in upper
 * case. An international host must be complete. Nothing else changes, so a prefix never becomes shorter.
 *
 * @throws {InvalidDidError} when no canonical DID begins with the prefix.
 * @example
 * normalizeDidPrefix("did:web:Example.com:Team"); // "did:web:example.com:Team"
 */
export function normalizeDidPrefix(input: string): string {
  const match = form.exec(input.trim());
  if (!match) throw new InvalidDidError(input, "not-a-did", "A DID prefix begins with did:web: or did:pkh:");
  const [, method = "", host = "", rest = ""] = match;
  const start = `did:${method.toLowerCase()}:${parseHost(method, host)}`;
  const end = rest.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase());
  const prefix = start + (method.toLowerCase() === "pkh" ? end.toLowerCase() : end);
  if (forbidden.test(prefix)) {
    throw new InvalidDidError(
      input,
      "forbidden-character",
      "It contains a character that isn't allowed in a DID.",
    );
  }
  if (prefix.length > MAX_DID_LENGTH) {
    throw new InvalidDidError(input, "too-long", `A DID has at most ${MAX_DID_LENGTH} characters.`);
  }
  return prefix;
}

function parseHost(method: string, host: string): string {
  const isInternational = /[^\0-\x7f]/.test(host);
  return isInternational && method.toLowerCase() === "web"
    ? normalizeDid(`did:web:${host}`).slice("did:web:".length)
    : host.toLowerCase();
}
