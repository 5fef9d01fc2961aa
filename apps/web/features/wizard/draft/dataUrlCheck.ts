import type { ServedDocument } from "@app-registry/outbound";
import { dataUrlPath, normalizeDid, parseVersion } from "@app-registry/sdk";
import type { Hex } from "viem";
import type { Draft } from "./draft.ts";
import type { Publication } from "./publication.ts";

/** What is asked of a data URL: whether it serves the document of a hash. Body of POST /api/check-data-url. */
export interface DataUrlQuestion {
  url: string;
  dataHash: Hex;
  algorithm: Draft["algorithm"];
}

/** The answer to a question; a question that was not answered is no answer to the next one. */
export type DataUrlAnswer = { question: DataUrlQuestion } & ServedDocument;

/**
 * What has to be asked before a draft is published: of a URL that the publisher typed, and of any that is alone in keeping
 * the JSON. The registry's own link serves what is on the chain.
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

/** Whether two questions ask the same. */
const isSameQuestion = (one: DataUrlQuestion, other: DataUrlQuestion): boolean =>
  one.url === other.url && one.dataHash === other.dataHash && one.algorithm === other.algorithm;

/** Why a question keeps the draft from being published; undefined once the URL serves the document. */
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
