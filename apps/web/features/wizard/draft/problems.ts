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

/** Something that keeps a draft from being published, and where it is mended. */
export interface DraftProblem {
  /** JSON pointer into the metadata, or the name of a draft field such as `did`. */
  field: string;
  step: StepId;
  code: string;
  message: string;
}

type Found = Omit<DraftProblem, "step">;

interface ProblemOptions {
  /** What the chain says of the DID, as far as is known. */
  registered?: RegisteredDid | undefined;
  publicUrl: string;
  /** What the registry said last of a data URL of the publisher's own. */
  dataUrlAnswer?: DataUrlAnswer | undefined;
}

/** The canonical DID of what was typed, or why it is none. */
export function readDid(
  text: string,
): { did: string; reason?: undefined } | { did?: undefined; reason: string } {
  try {
    return { did: normalizeDid(text) };
  } catch (error) {
    return { reason: error instanceof InvalidDidError ? error.reason : "Enter a valid DID." };
  }
}

/** The canonical DID of what was typed; undefined while it isn't a DID. */
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

/** What is wrong with the text of a JSON editor, with line and column; undefined when it is taken over. */
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
      "A text value contains an incomplete character (a lone surrogate), so it can't be hashed. Retype it.";
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

/** Where a rule of the sdk is mended in the wizard, when that isn't at the place in the document. */
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
 * Everything that keeps a draft from being published, each with the field and the screen where it is mended.
 * `registered` is what the chain says of the DID; while it is unknown its rules are left out.
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
