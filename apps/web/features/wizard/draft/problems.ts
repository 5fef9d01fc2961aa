import type { ServedDocument } from "@app-registry/outbound";
import {
  type CanonicalDid,
  caip19Schema,
  checkPublishable,
  InvalidDidError,
  InvalidVersionError,
  interfacesConflict,
  normalizeDid,
  parseVersion,
  traitsConflict,
  type Version,
  versionConflict,
} from "@app-registry/sdk";
import { storageProblems } from "@app-registry/sdk/internal";
import type { Draft, StepId } from "./draft.ts";
import { readText } from "./pointer.ts";
import { checkDataUrl, type PublicationOptions, toPublication } from "./publication.ts";
import { getStepOfField } from "./screens.ts";

/** Problem that blocks publishing, with the screen on which to fix it. */
export interface DraftProblem {
  /** JSON pointer into the metadata, or the name of a draft field such as `did`. */
  field: string;
  step: StepId;
  message: string;
}

interface ProblemOptions extends PublicationOptions {
  /** Result of the check of the draft's data URL. */
  dataUrlAnswer?: ServedDocument | undefined;
}

/** Returns the canonical DID of a text, or the reason it is not a DID. */
export function readDid(
  text: string,
): { did: CanonicalDid; reason?: undefined } | { did?: undefined; reason: string } {
  try {
    return { did: normalizeDid(text) };
  } catch (error) {
    return { reason: error instanceof InvalidDidError ? error.reason : "Enter a valid DID." };
  }
}

/** Returns the canonical DID of a text, or `undefined` if it is not a DID. */
export const canonicalDid = (text: string): CanonicalDid | undefined => readDid(text).did;

/** Returns the version of a text, or the reason it is not a version. */
export function readVersion(
  text: string,
): { version: Version; reason?: undefined } | { version?: undefined; reason: string } {
  try {
    return { version: parseVersion(text) };
  } catch (error) {
    return { reason: error instanceof InvalidVersionError ? error.reason : "Enter a version such as 1.0.0." };
  }
}

/** Fields at which to fix an sdk problem if not at its place in the document, by error code. */
const fieldOfCode: Record<string, string> = {
  "missing-api-trait": "apiType",
  "not-a-did-pkh": "did",
  "invalid-contract-id": "contractId",
  "contract-id-mismatch": "contractId",
};

function tokenProblem(token: string): string | undefined {
  const parsed = caip19Schema.safeParse(token);
  return token === "" || parsed.success
    ? undefined
    : (parsed.error.issues[0]?.message ?? "Enter a valid token id (CAIP-19).");
}

/**
 * Returns everything that blocks publishing, each with the field and the screen where the user can fix it. The rules
 * that need the DID's record are skipped until `registered` is available.
 */
export function draftProblems(draft: Draft, options: ProblemOptions): DraftProblem[] {
  const { registered, dataUrlAnswer } = options;
  const { metadata, interfaces } = draft;
  const problems: DraftProblem[] = [];
  const report = (field: string, message: string | undefined) => {
    if (message !== undefined) problems.push({ field, message, step: getStepOfField(field, draft) });
  };
  const { did, reason } = readDid(draft.did);
  report(
    "did",
    draft.did.trim() === "" ? "Enter the service's DID, for example did:web:example.com." : reason,
  );
  const { version, reason: noVersion } = readVersion(draft.version);
  report("version", noVersion);
  if (version && registered && registered.did === did) {
    report("version", versionConflict(version, registered));
    if (interfaces !== 0) report("interfaces", interfacesConflict(interfaces, version, registered));
    const { traits = [] } = metadata;
    if (Array.isArray(traits)) report("/traits", traitsConflict(traits, registered));
  }
  if (interfaces === 0) report("interfaces", "Choose at least one type of service.");
  const contractId = draft.contractId.trim();
  const record = contractId === "" ? {} : { contractId };
  for (const { pointer, code, message } of checkPublishable(metadata, interfaces, did ?? "", record))
    report(fieldOfCode[code] ?? pointer, message);
  for (const [pointer, text] of Object.entries(draft.texts)) report(pointer, readText(pointer, text).problem);
  report("fungibleTokenId", tokenProblem(draft.fungibleTokenId.trim()));
  const publication = toPublication(draft, options);
  if (publication.canonical === undefined)
    report(
      "",
      "A text value contains an incomplete character (a lone surrogate), so it can't be hashed. Retype the value.",
    );
  if (draft.storage === "chain")
    for (const { message } of storageProblems(publication.size)) report("storage", message);
  report("dataUrl", checkDataUrl(publication, dataUrlAnswer));
  return problems;
}
