import {
  caip19Schema,
  checkPublishable,
  InvalidDidError,
  InvalidVersionError,
  interfacesConflict,
  isJsonObject,
  JsonDocumentError,
  normalizeDid,
  parseJsonStrict,
  parseVersion,
  type RegisteredDid,
  traitsConflict,
  type Version,
  versionConflict,
} from "@app-registry/sdk";
import { storageProblems } from "@app-registry/sdk/internal";
import { type DataUrlAnswer, dataUrlProblem, dataUrlQuestion } from "./dataUrlCheck.ts";
import type { Draft, StepId } from "./draft.ts";
import { toPublication } from "./publication.ts";
import { getStepOfField } from "./screens.ts";

/** Problem that blocks publishing, with the screen on which to fix it. */
export interface DraftProblem {
  /** JSON pointer into the metadata, or the name of a draft field such as `did`. */
  field: string;
  step: StepId;
  code: string;
  message: string;
}

type Found = Omit<DraftProblem, "step">;

interface ProblemOptions {
  /** Chain's record of the DID, if it was read. */
  registered?: RegisteredDid | undefined;
  publicUrl: string;
  /** Registry's last result for the publisher's own data URL. */
  dataUrlAnswer?: DataUrlAnswer | undefined;
}

/** Returns the canonical DID of a text, or the reason it is not a DID. */
export function readDid(
  text: string,
): { did: string; reason?: undefined } | { did?: undefined; reason: string } {
  try {
    return { did: normalizeDid(text) };
  } catch (error) {
    return { reason: error instanceof InvalidDidError ? error.reason : "Enter a valid DID." };
  }
}

/** Returns the canonical DID of a text, or `undefined` if it is not a DID. */
export const canonicalDid = (text: string): string | undefined => readDid(text).did;

function didProblems({ did }: Draft): Found[] {
  if (did.trim() === "") {
    const message = "Enter the service's DID, for example did:web:example.com.";
    return [{ field: "did", code: "missing", message }];
  }
  const { reason } = readDid(did);
  return reason === undefined ? [] : [{ field: "did", code: "not-a-did", message: reason }];
}

function versionProblems(draft: Draft, registered: RegisteredDid | undefined): Found[] {
  let next: Version;
  try {
    next = parseVersion(draft.version);
  } catch (error) {
    const message = error instanceof InvalidVersionError ? error.reason : "Enter a version such as 1.0.0.";
    return [{ field: "version", code: "not-a-version", message }];
  }
  if (registered === undefined || registered.did !== canonicalDid(draft.did)) return [];
  const problems: Found[] = [];
  const version = versionConflict(next, registered);
  if (version !== undefined) problems.push({ field: "version", code: "version-conflict", message: version });
  const interfaces = interfacesConflict(draft.interfaces, next, registered);
  if (draft.interfaces !== 0 && interfaces !== undefined) {
    problems.push({ field: "interfaces", code: "interfaces-conflict", message: interfaces });
  }
  const { traits = [] } = draft.metadata;
  const dropped = Array.isArray(traits) ? traitsConflict(traits, registered) : undefined;
  if (dropped !== undefined) problems.push({ field: "/traits", code: "traits-kept", message: dropped });
  return problems;
}

/** Returns the problem with a JSON editor's text, with line and column, or `undefined` if the text was applied. */
export function textProblem(pointer: string, text: string): string | undefined {
  if (text.trim() === "") return pointer === "" ? "The metadata is empty. Enter a JSON object." : undefined;
  try {
    const value = parseJsonStrict(text);
    return pointer === "" && !isJsonObject(value) ? "The metadata must be a JSON object." : undefined;
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) return "This isn't valid JSON.";
    return `Line ${error.line}, column ${error.column}: ${error.reason}`;
  }
}

function textProblems(draft: Draft): Found[] {
  return Object.entries(draft.texts).flatMap(([pointer, text]) => {
    const message = textProblem(pointer, text);
    return message === undefined ? [] : [{ field: pointer, code: "json", message }];
  });
}

function publicationProblems(draft: Draft, options: ProblemOptions): Found[] {
  const problems: Found[] = [];
  const publication = toPublication(draft, options);
  const { canonical, size, dataUrlProblem: unusable } = publication;
  if (canonical === undefined) {
    const message =
      "A text value contains an incomplete character (a lone surrogate), so it can't be hashed. Retype the value.";
    problems.push({ field: "", code: "not-canonical", message });
  }
  if (draft.storage === "chain") {
    const tooLarge = storageProblems(size);
    problems.push(...tooLarge.map(({ code, message }) => ({ field: "storage", code, message })));
  }
  const question = dataUrlQuestion(draft, publication, options.publicUrl);
  const unserved = question && dataUrlProblem(question, options.dataUrlAnswer);
  const message = unusable ?? unserved;
  if (message !== undefined) problems.push({ field: "dataUrl", code: "data-url", message });
  return problems;
}

/** Fields at which to fix an sdk problem if not at its place in the document, by error code. */
const fieldOfCode: Record<string, string> = {
  "missing-api-trait": "apiType",
  "not-a-did-pkh": "did",
  "invalid-contract-id": "contractId",
  "contract-id-mismatch": "contractId",
};

function metadataProblems(draft: Draft, did: string | undefined): Found[] {
  const contractId = draft.contractId.trim();
  const record = contractId === "" ? {} : { contractId };
  return checkPublishable(draft.metadata, draft.interfaces, did ?? "", record).map(
    ({ pointer, code, message }) => ({
      field: fieldOfCode[code] ?? pointer,
      code,
      message,
    }),
  );
}

function caipProblems(draft: Draft): Found[] {
  const token = draft.fungibleTokenId.trim();
  const parsed = caip19Schema.safeParse(token);
  if (token === "" || parsed.success) return [];
  const message = parsed.error.issues[0]?.message ?? "Enter a valid token id (CAIP-19).";
  return [{ field: "fungibleTokenId", code: "invalid-token-id", message }];
}

/**
 * Returns everything that blocks publishing, each with the field and the screen where the user can fix it. The rules
 * that need the DID's record are skipped until `registered` is available.
 */
export function draftProblems(draft: Draft, options: ProblemOptions): DraftProblem[] {
  const did = canonicalDid(draft.did);
  const found: Found[] = [...didProblems(draft), ...versionProblems(draft, options.registered)];
  if (draft.interfaces === 0) {
    found.push({ field: "interfaces", code: "missing", message: "Choose at least one type of service." });
  }
  found.push(...metadataProblems(draft, did), ...textProblems(draft), ...caipProblems(draft));
  found.push(...publicationProblems(draft, options));
  return found.map((problem) => ({ ...problem, step: getStepOfField(problem.field, draft) }));
}
