import { isJsonObject, type JsonObject, type JsonValue } from "@app-registry/sdk";
import { z } from "zod/mini";
import { type Draft, detectInterfaces, emptyDraft, parseDraft } from "./draft.ts";
import { readText } from "./pointer.ts";
import { screens } from "./screens.ts";

/** Maximum size of a draft file, in bytes. It contains one document and the parts that were switched off. */
export const MAX_DRAFT_FILE = 1_000_000;

/** Draft from a file, or the reason it can't be read. */
export type DraftFile = { draft: Draft; problem?: undefined } | { draft?: undefined; problem: string };

/** Serializes a draft for a file. `readDraftFile` reads it back. */
export const draftFileText = (draft: Draft): string => `${JSON.stringify(draft, null, 2)}\n`;

/** Returns the name of a draft's file: `did-web-example.com-1.0.0.draft.json`. */
export function draftFileName({ did, version }: Draft): string {
  const parts = [did.trim() || "service", version.trim()].map((part) => part.replace(/[^\w.-]+/g, "-"));
  return `${parts.join("-").slice(0, 120)}.draft.json`;
}

const steps = Object.keys(screens);
const step = z.string().check(z.refine((id) => steps.includes(id), "isn't a step of this form"));
const object = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), "must be an object");

/** Members of a draft that the form relies on. A file may omit some. */
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

/** Members of which every metadata document has at least one. */
const metadataKeys = ["name", "description", "publisher", "traits", "endpoints", "endpoint", "platforms"];

/**
 * Reads a file as a draft: an exported draft, or a metadata document, which replaces the metadata of the present draft.
 */
export function readDraftFile(text: string, present: Draft): DraftFile {
  const { value: document, problem } = readText("/", text);
  if (problem !== undefined) return { problem: `The file isn't valid JSON. ${problem}` };
  if (!isJsonObject(document)) return { problem: "The file doesn't contain a JSON object." };
  if (typeof document.did === "string" && document.metadata !== undefined) return readDraft(text, document);
  if (!metadataKeys.some((key) => Object.hasOwn(document, key))) {
    const problem = `The file is neither a draft nor a metadata document, because it has none of these fields: ${metadataKeys.join(", ")}.`;
    return { problem };
  }
  const interfaces = present.interfaces || detectInterfaces(document);
  return { draft: { ...present, metadata: document, interfaces, texts: {}, step: "about" } };
}

function readDraft(text: string, document: JsonObject): DraftFile {
  const parsed = draftSchema.safeParse(document);
  const draft = parseDraft(text);
  // Drop the findings: the file's author could have written them in any shape. The form reads them again.
  if (parsed.success && draft !== undefined)
    return { draft: { ...emptyDraft(), ...draft, discovery: null, chosen: null } };
  const issue = parsed.error?.issues[0];
  return {
    problem: `The file isn't a valid draft: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "can't be read"}.`,
  };
}

/** Downloads a JSON text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
