import {
  AppRegistryError,
  canonicalizeValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@app-registry/sdk";
import { base64url, createLocalJWKSet, decodeProtectedHeader, errors, flattenedVerify } from "jose";
import { printable } from "../../fetch/printable.ts";
import type { DiscoverySession } from "../discoverySession.ts";
import { isSameSite } from "../isSameSite.ts";
import { asObject, asObjectArray } from "./json.ts";

/** Maximum number of signatures of a card that are checked and preserved. */
export const MAX_SIGNATURES = 5;

/** Accepted algorithms: with a key pair, because anyone who can verify an HMAC can also create it. */
const algorithms = "ES256 ES384 ES512 RS256 RS384 RS512 PS256 PS384 PS512 EdDSA Ed25519".split(" ");

/** Fields that a signature covers even if they have a default value: required or `optional` in A2A 1.0. */
const explicitFields = new Set(
  `name description version documentationUrl iconUrl url skills id tags params protocolBinding protocolVersion
  organization streaming pushNotifications extendedAgentCard capabilities supportedInterfaces defaultInputModes
  defaultOutputModes`.split(/\s+/),
);

/**
 * Verifies the signatures of an agent card (A2A 1.0, section 8.4) with keys from the card's own site. Returns a note for
 * each signature, those that are not valid first.
 */
export async function checkCardSignatures(card: JsonObject, url: string, session: DiscoverySession) {
  const signatures = asObjectArray(card.signatures);
  const first = signatures.slice(0, MAX_SIGNATURES);
  const notes = await Promise.all(first.map((one) => checkSignature(one, card, new URL(url), session)));
  notes.sort((one, other) => Number(one.startsWith("Signed")) - Number(other.startsWith("Signed")));
  if (signatures.length > MAX_SIGNATURES)
    notes.push(`Only the first ${MAX_SIGNATURES} of the card's signatures were checked.`);
  return notes;
}

const mismatch = (reason: string) => `The signature doesn't match the card: ${reason}`;
const unchecked = (reason: string) => `The card's signature couldn't be checked: ${reason}`;

async function checkSignature(signed: JsonObject, card: JsonObject, url: URL, session: DiscoverySession) {
  const jws = { protected: String(signed.protected), signature: String(signed.signature) };
  try {
    // Read only the protected header: anyone can change the other one.
    const { alg, kid, jku } = decodeProtectedHeader({ protected: jws.protected });
    if (!algorithms.includes(`${alg}`))
      return mismatch(`the algorithm "${printable(`${alg}`, 20)}" is not accepted. Use ES256, for example.`);
    if (typeof kid !== "string" || typeof jku !== "string" || !URL.canParse(jku))
      return unchecked("its protected header must name a key (kid) and the URL of a key set (jku).");
    const elsewhere = unchecked(`its keys are on another site. Serve them from ${url.host}.`);
    if (!isSameSite(new URL(jku), url)) return elsewhere;
    const served = await session.document(new URL(jku));
    if (!isSameSite(new URL(served.url), url)) return elsewhere;
    const { keys } = asObject(JSON.parse(served.text) as JsonValue);
    const wanted = asObjectArray(keys).filter((key) => key.kid === kid && key.revoked === undefined);
    const [name, place] = [`"${printable(kid, 60)}"`, printable(jku)];
    if (wanted.length === 0) return mismatch(`${place} has no key ${name}.`);
    const keySet = createLocalJWKSet({ keys: wanted as { kty: string }[] });
    const payloads = listSignedTexts(card).map((text) => base64url.encode(text));
    await Promise.any(
      payloads.map((payload) => flattenedVerify({ ...jws, payload }, keySet, { algorithms })),
    );
    return `Signed by key ${name} at ${place}: valid.`;
  } catch (thrown) {
    const error: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return mismatch("it was changed after it was signed, or another key signed it.");
    if (error instanceof AppRegistryError) return unchecked(error.shortMessage);
    if (error instanceof errors.JOSEError) return unchecked(`${printable(error.message)}.`);
    return unchecked("its header, its key set or its key can't be read.");
  }
}

/**
 * Lists the texts that a signature may cover: the canonical card (RFC 8785) as served, without the fields that section
 * 8.4.1 omits, or without any empty value, as A2A's own libraries sign it. The texts differ only in default values.
 */
function listSignedTexts({ signatures, ...card }: JsonObject): string[] {
  const isExplicit = (key: string, value: JsonValue) =>
    explicitFields.has(key) || (isJsonObject(value) && key !== "securitySchemes");
  const isExplicitFlag = (key: string, value: JsonValue) => value === false && explicitFields.has(key);
  const forms = [card, omitDefaults(card, isExplicit), omitDefaults(card, isExplicitFlag)];
  return forms.map((form) => canonicalizeValue(form));
}

function omitDefaults(value: JsonValue, isKept: (key: string, value: JsonValue) => boolean): JsonValue {
  if (Array.isArray(value)) return value.map((item) => omitDefaults(item, isKept));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, omitDefaults(inner, isKept)] as const);
  return Object.fromEntries(entries.filter(([key, inner]) => !isDefault(inner) || isKept(key, inner)));
}

const isDefault = (value: JsonValue): boolean =>
  typeof value === "object" ? Object.keys(value ?? {}).length === 0 : !value;
