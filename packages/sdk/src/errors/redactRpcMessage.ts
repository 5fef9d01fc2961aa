import { BaseError } from "viem";

/** Longest message that is read, in UTF-16 code units. A contract can revert with any text, which nodes repeat. */
const MAX_WORDS = 1_000;

/** Returns the beginning of the message of a node, a wallet or viem itself. */
export function collectMessages(error: unknown): string {
  const words =
    error instanceof BaseError
      ? error.details || error.shortMessage
      : error instanceof Error
        ? error.message
        : "";
  return words.slice(0, MAX_WORDS);
}

/**
 * Redacts the details of an RPC operator in a message: the URLs and addresses of the nodes behind a gateway, and words
 * that are long enough for a key.
 */
export function redactUrls(words: string): string {
  return words
    .replace(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]+/gi, "(a URL)")
    .replace(/\[[\da-f:.]+\](:\d+)?|\b\d{1,3}(\.\d{1,3}){3}\b(:\d+)?/gi, "(an address)")
    .replace(/\b(?!0x)(?=[a-z_-]*\d)[\w-]{24,}/gi, "(a key)");
}

/** Shortest part of a URL that may be a key, in characters. */
const MIN_SECRET_LENGTH = 8;

/**
 * Creates a function that removes the parts of an RPC's URL that may be a key from its messages. Some RPCs repeat the
 * key of the request in their errors.
 */
export function createKeyRedactor(rpcUrl: string): (words: string) => string {
  const secrets = extractSecrets(rpcUrl);
  return (words) => secrets.reduce((left, secret) => left.replaceAll(secret, "…"), words);
}

/** Returns the credentials, the path's parts and the query's values, both as in the URL and decoded. */
function extractSecrets(rpcUrl: string): string[] {
  const { username, password, pathname, searchParams } = new URL(rpcUrl);
  const written = [username, password, ...pathname.split("/")];
  const parts = [...written, ...written.map(decoded), ...searchParams.values()];
  return [...new Set(parts)]
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
