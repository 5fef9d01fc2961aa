import {
  AppRegistryError,
  canonicalizeValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@app-registry/sdk";
import { base64url, createLocalJWKSet, decodeProtectedHeader, errors, flattenedVerify } from "jose";
import type { FetchedDocument } from "../../fetch/guardedFetch.ts";
import { printable } from "../../fetch/printable.ts";
import { isSameSite } from "../isSameSite.ts";
import { asObject, asObjectArray } from "./json.ts";

/** Reads a document from a URL, within the limits of a discovery. */
export type ReadDocument = (url: URL) => Promise<FetchedDocument>;

/** Maximum number of signatures of a card that are checked and preserved. */
export const MAX_SIGNATURES = 5;

/** Accepted algorithms: with a key pair, because anyone who can verify an HMAC can also create it. */
const algorithms = "ES256 ES384 ES512 RS256 RS384 RS512 PS256 PS384 PS512 EdDSA Ed25519".split(" ");

/** Fields that are part of the signed text even if they have a default value: required or `optional` in A2A 1.0. */
const explicitFields = new Set(
  `name description supportedInterfaces version documentationUrl capabilities defaultInputModes defaultOutputModes skills
  iconUrl url protocolBinding protocolVersion organization streaming pushNotifications extendedAgentCard id tags params`.split(
    /\s+/,
  ),
);

/**
 * Verifies the signatures of an agent card (A2A 1.0, section 8.4) with keys from the card's own site. Returns a note for
 * each signature, those that are not valid first.
 *
 * @param readDocument Reads the key sets. Without it, nothing is checked.
 */
export async function checkCardSignatures(
  card: JsonObject,
  url: string,
  readDocument: ReadDocument | undefined,
): Promise<string[]> {
  const signatures = asObjectArray(card.signatures);
  if (!readDocument || signatures.length === 0) return [];
  const checked = await Promise.all(
    signatures
      .slice(0, MAX_SIGNATURES)
      .map((signature) => checkSignature(signature, card, url, readDocument)),
  );
  const notes = checked.toSorted((one, other) => Number(one.isValid) - Number(other.isValid));
  return [
    ...notes.map(({ note }) => note),
    ...(signatures.length > MAX_SIGNATURES
      ? [
          `Only the first ${MAX_SIGNATURES} of the card's ${signatures.length.toLocaleString("en")} signatures were checked.`,
        ]
      : []),
  ];
}

type Checked = { isValid: boolean; note: string };

const mismatch = (reason: string): Checked => ({
  isValid: false,
  note: `The signature doesn't match the card: ${reason}`,
});
const unchecked = (reason: string): Checked => ({
  isValid: false,
  note: `The card's signature couldn't be checked: ${reason}`,
});

async function checkSignature(
  signature: JsonObject,
  card: JsonObject,
  url: string,
  readDocument: ReadDocument,
): Promise<Checked> {
  try {
    // Read only the protected header: anyone can change the other one.
    const { alg = "", kid, jku } = decodeProtectedHeader({ protected: String(signature.protected) });
    if (!algorithms.includes(alg))
      return mismatch(
        `the algorithm "${printable(String(alg), 20)}" is not accepted. Use ES256, for example.`,
      );
    if (typeof kid !== "string" || typeof jku !== "string" || !URL.canParse(jku))
      return unchecked("its protected header must name a key (kid) and the URL of a key set (jku).");
    const place = new URL(jku);
    if (!isSameSite(place, new URL(url)))
      return unchecked(`its keys are on another site, ${place.host}. Serve them from ${new URL(url).host}.`);
    const served = await readDocument(place);
    if (!isSameSite(new URL(served.url), new URL(url)))
      return unchecked(`${place.host} redirects to another site for its keys.`);
    const key = `"${printable(kid, 60)}"`;
    const keys = asObjectArray(asObject(JSON.parse(served.text) as JsonValue).keys).filter(
      (jwk) => jwk.kid === kid && jwk.revoked === undefined,
    );
    if (keys.length === 0) return mismatch(`${printable(jku)} has no key ${key}.`);
    const jws = { protected: String(signature.protected), signature: String(signature.signature) };
    const keySet = createLocalJWKSet({ keys: keys as { kty: string }[] });
    for (const text of listSignedTexts(card)) {
      const isValid = await flattenedVerify({ ...jws, payload: base64url.encode(text) }, keySet, {
        algorithms,
      }).catch((error: unknown) => {
        if (error instanceof errors.JWSSignatureVerificationFailed) return undefined;
        throw error;
      });
      if (isValid) return { isValid: true, note: `Signed by key ${key} at ${printable(jku)}: valid.` };
    }
    return mismatch(`it was changed after key ${key} signed it, or another key signed it.`);
  } catch (error) {
    if (error instanceof AppRegistryError) return unchecked(error.shortMessage);
    if (error instanceof errors.JOSEError) return unchecked(`${printable(error.message)}.`);
    return unchecked("its header, its key set or its key can't be read.");
  }
}

/**
 * Lists the texts that a signature may cover: the canonical card (RFC 8785) as served, without the fields that section
 * 8.4.1 omits, or without any empty value, as A2A's own libraries sign it. The texts differ only in default values.
 */
function listSignedTexts({ signatures, ...card }: JsonObject): Set<string> {
  return new Set(
    [
      card,
      omitDefaults(
        card,
        (key, value) => explicitFields.has(key) || (isJsonObject(value) && key !== "securitySchemes"),
      ),
      omitDefaults(card, (key, value) => value === false && explicitFields.has(key)),
    ].map((form) => canonicalizeValue(form)),
  );
}

function omitDefaults(value: JsonValue, isKept: (key: string, value: JsonValue) => boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => omitDefaults(item, isKept));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, omitDefaults(inner, isKept)] as const);
  return Object.fromEntries(entries.filter(([key, inner]) => !isDefault(inner) || isKept(key, inner)));
}

const isDefault = (value: JsonValue): boolean =>
  typeof value === "object" ? Object.keys(value ?? {}).length === 0 : !value;
