import type { ServedDocument } from "@app-registry/outbound";
import { dataUrlPath, normalizeDid, parseVersion } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { Draft } from "./draft.ts";
import type { Publication } from "./publication.ts";

/** Check of a data URL: the document with this hash must be served. Body of POST /api/check-data-url. */
export interface DataUrlQuestion {
  url: string;
  dataHash: Hex;
  algorithm: Draft["algorithm"];
}

/** Result of a check together with its question, because it says nothing about any other question. */
export type DataUrlAnswer = { question: DataUrlQuestion } & ServedDocument;

/**
 * Returns the check that must pass before a draft is published: of a URL that the publisher entered, or of any URL that
 * is the only storage of the JSON. The registry's own URL serves the chain's copy and needs no check.
 */
export function dataUrlQuestion(
  draft: Draft,
  { dataUrl, dataHash }: Publication,
  publicUrl: string,
): DataUrlQuestion | undefined {
  if (dataUrl === undefined || dataHash === undefined) return undefined;
  if (draft.storage === "chain") {
    const link = new URL(dataUrlPath(normalizeDid(draft.did), parseVersion(draft.version)), publicUrl).href;
    if (draft.dataUrl.trim() === "" || dataUrl === link) return undefined;
  }
  return { url: dataUrl, dataHash, algorithm: draft.algorithm };
}

/** Returns true if two questions are equal. */
const isSameQuestion = (one: DataUrlQuestion, other: DataUrlQuestion): boolean =>
  one.url === other.url && one.dataHash === other.dataHash && one.algorithm === other.algorithm;

/**
 * Returns the reason an unanswered or failed check blocks publishing, or `undefined` if the URL serves the document.
 */
export function dataUrlProblem(
  question: DataUrlQuestion,
  answer: DataUrlAnswer | undefined,
): string | undefined {
  if (!/^https?:/i.test(question.url)) {
    return "The registry can't read this URL. Use one that starts with https://.";
  }
  if (answer === undefined || !isSameQuestion(answer.question, question)) {
    return "Upload this JSON to the data URL, then select Check URL. The URL must serve exactly this document.";
  }
  return answer.ok
    ? undefined
    : `${answer.reason} Upload the current JSON to the data URL, then check again.`;
}
