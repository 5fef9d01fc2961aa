import {
  Interfaces,
  isJsonObject,
  JsonDocumentError,
  type JsonObject,
  type JsonValue,
  parseJsonStrict,
} from "@app-registry/sdk";
import { z } from "zod/mini";
import { type Draft, emptyDraft, parseDraft } from "./draft.ts";
import { screens } from "./screens.ts";

/** Bytes; a draft holds one document, and what was switched off. */
export const MAX_DRAFT_FILE = 1_000_000;

/** What a file holds, as a draft, or why it holds none. */
export type DraftFile = { draft: Draft; problem?: undefined } | { draft?: undefined; problem: string };

/** A draft as a file holds it; `loadDraftFile` reads it back. */
export const draftFileText = (draft: Draft): string => `${JSON.stringify(draft, null, 2)}\n`;

/** The name of a draft's file: `did-web-example.com-1.0.0.draft.json`. */
export function draftFileName({ did, version }: Draft): string {
  const parts = [did.trim() || "service", version.trim()].map((part) => part.replace(/[^\w.-]+/g, "-"));
  return `${parts.join("-").slice(0, 120)}.draft.json`;
}

const steps = Object.keys(screens);
const step = z.string().check(z.refine((id) => steps.includes(id), "isn't a step of this form"));
const object = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), "must be an object");

/** The parts of a draft that the form relies on; a file may lack some. */
const draftSchema = z.looseObject({
  did: z.string(),
  metadata: object,
  version: z.optional(z.string()),
  interfaces: z.optional(z.int().check(z.gte(0), z.lte(7))),
  contractId: z.optional(z.string()),
  fungibleTokenId: z.optional(z.string()),
  algorithm: z.optional(z.literal([0, 1])),
  storage: z.optional(z.enum(["chain", "url"])),
  status: z.optional(z.enum(["", "0", "1", "2"])),
  dataUrl: z.optional(z.string()),
  texts: z.optional(z.record(z.string(), z.string())),
  stash: z.optional(z.record(z.string(), object)),
  step: z.optional(step),
  visited: z.optional(z.array(step)),
});

/** Members of which a metadata document has at least one. */
const metadataKeys = ["name", "description", "publisher", "traits", "endpoints", "endpoint", "platforms"];

/**
 * Reads a file as a draft: one that was exported, or a metadata document, which takes the place of the present draft's
 * and leaves the rest of it as it is.
 */
export function readDraftFile(text: string, present: Draft): DraftFile {
  let value: unknown;
  try {
    value = parseJsonStrict(text);
  } catch (error) {
    if (!(error instanceof JsonDocumentError)) throw error;
    return { problem: `It isn't valid JSON. Line ${error.line}, column ${error.column}: ${error.reason}` };
  }
  if (!isJsonObject(value as JsonValue)) return { problem: "It doesn't contain a JSON object." };
  const document = value as JsonObject;
  if (typeof document.did === "string" && document.metadata !== undefined) return readDraft(text, document);
  if (!metadataKeys.some((key) => Object.hasOwn(document, key))) {
    const problem = `It isn't a draft or a metadata document: none of these fields is present: ${metadataKeys.join(", ")}.`;
    return { problem };
  }
  const interfaces = present.interfaces || detectInterfaces(document);
  return { draft: { ...present, metadata: document, interfaces, texts: {}, step: "about" } };
}

function readDraft(text: string, document: JsonObject): DraftFile {
  const parsed = draftSchema.safeParse(document);
  const draft = parseDraft(text);
  // What was read elsewhere is read again here: nobody checked the form of what a file says was found.
  if (parsed.success && draft !== undefined)
    return { draft: { ...emptyDraft(), ...draft, discovery: null, chosen: [] } };
  const issue = parsed.error?.issues[0];
  return {
    problem: `It isn't a valid draft: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "can't be read"}.`,
  };
}

/** The interfaces that a document surely serves. */
function detectInterfaces({ endpoints, endpoint, platforms }: JsonObject): number {
  const api = endpoint !== undefined || (Array.isArray(endpoints) && endpoints.length > 0);
  return (api ? Interfaces.Api : 0) | (isJsonObject(platforms) ? Interfaces.Human : 0);
}
