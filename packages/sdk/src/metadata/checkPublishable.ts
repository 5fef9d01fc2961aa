import { isAddress } from "viem/utils";
import type * as z from "zod/mini";
import { type Did, InvalidDidError, parseDid } from "../did.ts";
import { describeIssue } from "../issueTexts.ts";
import { canonicalizeValue, JsonDocumentError, parseJsonStrict } from "../json.ts";
import { isJsonObject, toJsonPointer } from "../jsonValue.ts";
import { Interfaces, isInterfaceBitmap } from "../recordEnums.ts";
import { InvalidTraitError, normalizeTrait } from "../traits.ts";
import { CONTRACT_ENDPOINT_NAME } from "./endpointSchema.ts";
import { locateEndpoints } from "./getEndpoints.ts";
import { apiProblems, contractProblems, humanProblems } from "./interfaceProblems.ts";
import { MAX_DOCUMENT_SIZE } from "./limits.ts";
import { metadataSchema } from "./metadataSchema.ts";
import type { Problem } from "./problem.ts";
import { findAddressProblem } from "./serviceAddress.ts";

export type { Problem } from "./problem.ts";

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
