import { isAddress } from "viem/utils";
import type * as z from "zod/mini";
import { caip10Schema, getContractId } from "../caip.ts";
import { type Did, InvalidDidError, isCanonicalDid, parseDid } from "../did.ts";
import {
  canonicalizeValue,
  isJsonObject,
  JsonDocumentError,
  parseJsonStrict,
  toJsonPointer,
} from "../json.ts";
import { Interfaces, isInterfaceBitmap } from "../recordEnums.ts";
import { describeIssue } from "../schemas.ts";
import { InvalidTraitError, normalizeTrait } from "../traits.ts";
import { CONTRACT_ENDPOINT_NAME, MCP_ENDPOINT_NAME } from "./endpointSchema.ts";
import { type LocatedEndpoint, locateEndpoints } from "./getEndpoints.ts";
import { MAX_DOCUMENT_SIZE, MAX_STORED_METADATA_SIZE } from "./limits.ts";
import { metadataSchema } from "./metadataSchema.ts";
import { findAddressProblem } from "./serviceAddress.ts";

/** Problem that prevents publishing a metadata JSON. */
export interface Problem {
  /** JSON Pointer (RFC 6901) of the value, or of the place of a missing value; empty for the document. */
  pointer: string;
  /** Stable name of the rule. */
  code: string;
  /** One or two sentences for the publisher. */
  message: string;
}

/**
 * Returns the problem that prevents storing a publishable document on the chain: its size, in bytes of canonical text.
 */
export function storageProblems(size: number): Problem[] {
  if (size <= MAX_STORED_METADATA_SIZE) return [];
  const count = (bytes: number) => bytes.toLocaleString("en");
  const message = `The metadata has ${count(size)} bytes, but at most ${count(MAX_STORED_METADATA_SIZE)} can be stored on the chain. Host it at your own URL instead.`;
  return [{ pointer: "", code: "metadata-too-large", message }];
}

type Fields = Record<string, unknown>;

/**
 * Returns the interfaces that a document and its DID imply: platforms for people, endpoints of an API, or the address
 * of a contract.
 */
export function inferInterfaces(document: unknown, did: string): number {
  const { platforms, screenshotUrls, traits }: Fields = isJsonObject(document) ? document : {};
  const hasApiTrait = Array.isArray(traits) && traits.some((trait) => /^\s*api:/i.test(String(trait)));
  const hasEndpoint = locateEndpoints(document).some(({ entry }) => entry.name !== CONTRACT_ENDPOINT_NAME);
  const bits =
    (platforms !== undefined || screenshotUrls !== undefined ? Interfaces.Human : 0) |
    (hasApiTrait || hasEndpoint ? Interfaces.Api : 0) |
    (isCanonicalDid(did) && getContractId(did) !== undefined ? Interfaces.Contract : 0);
  // Assume the most common kind, so that the publisher learns which fields an API requires.
  return bits || Interfaces.Api;
}

/** Checks the requirements of the Human interface: an icon, screenshots and platforms. */
function humanProblems(metadata: Fields): Problem[] {
  const problems: Problem[] = [];
  const missing = (pointer: string, message: string) => problems.push({ pointer, code: "missing", message });
  if (metadata.image === undefined) missing("/image", "An app for people needs an icon.");
  const screenshots = metadata.screenshotUrls;
  if (screenshots === undefined || (Array.isArray(screenshots) && screenshots.length === 0)) {
    missing("/screenshotUrls", "An app for people needs at least one screenshot.");
  }
  const { platforms } = metadata;
  if (platforms === undefined || (isJsonObject(platforms) && Object.keys(platforms).length === 0)) {
    missing("/platforms", "An app for people needs at least one platform, for example web, ios or android.");
  }
  for (const [name, platform] of isJsonObject(platforms) ? Object.entries(platforms) : []) {
    if (!isJsonObject(platform) || platform.launchUrl !== undefined || platform.downloadUrl !== undefined)
      continue;
    const field = name === "web" ? "launchUrl" : "downloadUrl";
    missing(
      toJsonPointer(["platforms", name, field]),
      `The platform ${name} needs a launchUrl or a downloadUrl.`,
    );
  }
  return problems;
}

/**
 * Checks the requirements of the API interface: an endpoint with a URL, an `api:*` trait, and the requirements of that
 * type.
 */
function apiProblems(metadata: Fields): Problem[] {
  const problems: Problem[] = [];
  const traits = getApiTraits(metadata);
  const endpoints = locateEndpoints(metadata).filter(({ entry }) => entry.name !== CONTRACT_ENDPOINT_NAME);
  if (traits.size === 0) {
    const message = "An API needs a type trait, for example api:rest, api:mcp or api:a2a.";
    problems.push({ pointer: "/traits", code: "missing-api-trait", message });
  }
  if (endpoints.length === 0) {
    const message = "An API needs at least one endpoint with a URL.";
    problems.push({ pointer: "/endpoints", code: "missing-endpoint", message });
  }
  if (traits.has("api:mcp")) problems.push(...mcpProblems(endpoints));
  return problems;
}

/** Checks the requirements of the Contract interface: a DID that names the contract, and no other contractId. */
function contractProblems(did: Did, contractId: unknown): Problem[] {
  const expected = getContractId(did);
  if (expected === undefined) {
    const message =
      "A contract must be registered under the DID of its address: did:pkh:eip155:<chain id>:<address>.";
    return [{ pointer: "", code: "not-a-did-pkh", message }];
  }
  if (contractId === undefined || contractId === "") return [];
  if (!caip10Schema.safeParse(contractId).success) {
    const message = `The contractId is not a CAIP-10 account. Leave it empty, or use ${expected}`;
    return [{ pointer: "/contractId", code: "invalid-contract-id", message }];
  }
  if (String(contractId).toLowerCase() === expected) return [];
  const message = `The contractId doesn't match the contract in the DID. Leave it empty, or use ${expected}`;
  return [{ pointer: "/contractId", code: "contract-id-mismatch", message }];
}

function mcpProblems(endpoints: readonly LocatedEndpoint[]): Problem[] {
  const named = endpoints.filter(({ entry }) => entry.name === MCP_ENDPOINT_NAME);
  if (named.length === 1) return [];
  if (named.length === 0) {
    const message = `Add an endpoint named "${MCP_ENDPOINT_NAME}". Clients look for this name to find an MCP server.`;
    return [{ pointer: "/endpoints", code: "missing-mcp-endpoint", message }];
  }
  const message = `Only one endpoint can be named "${MCP_ENDPOINT_NAME}", so that clients know which one to use.`;
  return named
    .slice(1)
    .map(({ pointer }) => ({ pointer: `${pointer}/name`, code: "second-mcp-endpoint", message }));
}

function getApiTraits(metadata: Fields): Set<string> {
  const { traits } = metadata;
  const found = new Set<string>();
  for (const text of Array.isArray(traits) ? traits : []) {
    const trait = typeof text === "string" ? normalizedOrUndefined(text) : undefined;
    if (trait !== undefined && /^api:./.test(trait)) found.add(trait);
  }
  return found;
}

/** Returns `undefined` for a text that is not a trait, which the schema reports. */
function normalizedOrUndefined(text: string): string | undefined {
  try {
    return normalizeTrait(text);
  } catch (error) {
    if (error instanceof InvalidTraitError) return undefined;
    throw error;
  }
}

/**
 * Lists the problems that prevent publishing a metadata JSON for the interfaces, each with its place. Returns an empty
 * list if the document can be published.
 *
 * Never throws, and does not change the document. While a form is being filled in, pass `interfaces` 0 and an empty
 * `did` as long as they are unknown; this skips the rules that need them.
 *
 * @param metadata The parsed JSON document.
 * @param interfaces Bitmap: 1 Human, 2 API, 4 Contract.
 * @param did The DID of the record.
 * @param record Fields of the record that must agree with the DID.
 * @example
 * const problems = checkPublishable({ name: "Maps", traits: ["api:rest"] }, Interfaces.Api, did);
 * problems.some(({ pointer }) => pointer === "/endpoints"); // true
 */
export function checkPublishable(
  metadata: unknown,
  interfaces: number,
  did: string | Did,
  record: { contractId?: string } = {},
): Problem[] {
  if (!isJsonObject(metadata)) {
    return [{ pointer: "", code: "wrong-type", message: "The metadata is not a JSON object." }];
  }
  const notJson = documentProblems(metadata);
  if (notJson.length > 0) return notJson;
  return [
    ...schemaProblems(metadata),
    ...traitProblems(metadata.traits),
    ...endpointProblems(metadata),
    ...recipientProblems(metadata),
    ...bitmapProblems(interfaces),
    ...((interfaces & Interfaces.Human) !== 0 ? humanProblems(metadata) : []),
    ...((interfaces & Interfaces.Api) !== 0 ? apiProblems(metadata) : []),
    ...didProblems(metadata, interfaces, did, record.contractId),
  ];
}

/**
 * Message for a service that names itself as its successor. A later major version of a service needs no successor
 * either.
 */
export const SELF_SUCCESSOR_MESSAGE = "A service can't replace itself.";

/** Hint for a publisher who names a successor. */
export const SUCCESSOR_MESSAGE = `The successor's page shows "Replaces" only if the same account currently controls both DIDs.`;

/** Returns the problems that prevent canonicalizing the document or reading all of it. */
function documentProblems(metadata: object): Problem[] {
  try {
    const text = canonicalizeValue(metadata);
    parseJsonStrict(text);
    const size = new TextEncoder().encode(text).length;
    if (size <= MAX_DOCUMENT_SIZE) return [];
    const message = `The document has ${size.toLocaleString("en")} bytes; at most ${MAX_DOCUMENT_SIZE.toLocaleString("en")} are allowed.`;
    return [{ pointer: "", code: "document-too-large", message }];
  } catch (error) {
    if (error instanceof JsonDocumentError) {
      return [{ pointer: error.pointer, code: error.code, message: error.reason }];
    }
    return [
      { pointer: "", code: "not-json", message: "The metadata contains a value that JSON can't represent." },
    ];
  }
}

function schemaProblems(metadata: object): Problem[] {
  const { error } = metadataSchema.safeParse(metadata, { error: describeIssue });
  return (error?.issues ?? []).map((issue) => ({
    pointer: toJsonPointer(issue.path),
    code: getIssueCode(issue, metadata),
    message: issue.message,
  }));
}

function getIssueCode(issue: z.core.$ZodIssue, metadata: object): string {
  switch (issue.code) {
    case "custom":
      return String(issue.params?.code ?? "invalid");
    case "too_big":
      return issue.origin === "string" ? "too-long" : "too-many";
    case "invalid_format":
      return "invalid-format";
    default:
      return valueAt(metadata, issue.path) === undefined ? "missing" : "wrong-type";
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

/**
 * Returns the traits that are listed twice. Traits that differ only in spelling have one hash, which the registry
 * accepts only once.
 */
function traitProblems(traits: unknown): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, text] of (Array.isArray(traits) ? traits : []).entries()) {
    if (typeof text !== "string") continue;
    try {
      const trait = normalizeTrait(text);
      if (seen.has(trait)) {
        problems.push({
          pointer: `/traits/${index}`,
          code: "duplicate-trait",
          message: `${trait} is listed twice.`,
        });
      }
      seen.add(trait);
    } catch (error) {
      if (!(error instanceof InvalidTraitError)) throw error;
    }
  }
  return problems;
}

function endpointProblems(metadata: object): Problem[] {
  return locateEndpoints(metadata).flatMap(({ entry: { name, endpoint }, pointer, urlPointer }) => {
    if (endpoint === undefined) {
      // The schema reports a missing URL of the earlier layout itself.
      const isOptional = pointer === "/endpoint" || name === CONTRACT_ENDPOINT_NAME;
      return isOptional
        ? []
        : [{ pointer: urlPointer, code: "missing", message: "An endpoint needs a URL." }];
    }
    const problem = findAddressProblem(String(endpoint), String(name));
    return problem ? [{ pointer: urlPointer, code: problem.code, message: problem.message }] : [];
  });
}

/** Returns the recipients of payments on EVM chains that aren't addresses. */
function recipientProblems({ payments }: Record<string, unknown>): Problem[] {
  return (Array.isArray(payments) ? payments : []).flatMap((payment: unknown, index) => {
    if (!isJsonObject(payment) || typeof payment.payTo !== "string") return [];
    const { payTo, chains } = payment;
    const isEvm = Array.isArray(chains) && chains.some((chain) => String(chain).startsWith("eip155:"));
    if (!isEvm || isAddress(payTo)) return [];
    const message =
      "This must be an address of its network: 0x and 40 hex digits, with a valid checksum if in mixed case.";
    return [{ pointer: `/payments/${index}/payTo`, code: "invalid-recipient", message }];
  });
}

function bitmapProblems(interfaces: number): Problem[] {
  if (interfaces === 0 || isInterfaceBitmap(interfaces)) return [];
  const message = "Interfaces must be a number from 1 to 7: 1 Human, 2 API, 4 Contract, or a sum of these.";
  return [{ pointer: "", code: "invalid-interfaces", message }];
}

function didProblems(
  fields: Record<string, unknown>,
  interfaces: number,
  did: string | Did,
  contractId: string | undefined,
): Problem[] {
  if (did === "") return [];
  let parsed: Did;
  try {
    parsed = typeof did === "string" ? parseDid(did) : did;
  } catch (error) {
    if (!(error instanceof InvalidDidError)) throw error;
    return [{ pointer: "", code: "invalid-did", message: error.reason }];
  }
  const isContract = (interfaces & Interfaces.Contract) !== 0;
  const isOwn = fields.replacedBy === parsed.did;
  return [
    ...(isOwn ? [{ pointer: "/replacedBy", code: "own-successor", message: SELF_SUCCESSOR_MESSAGE }] : []),
    ...(isContract ? contractProblems(parsed, contractId ?? fields.contractId) : []),
  ];
}
