import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type * as z from "zod/mini";
import { formatNumber, markdownTable } from "../../bench/results.ts";
import { MAX_JSON_DEPTH } from "../../packages/sdk/src/json.ts";
import { fieldDescriptions } from "../../packages/sdk/src/metadata/describedFields.ts";
import {
  getMeaning,
  getUsualSchema,
  isUnchecked,
  isUrlSchema,
} from "../../packages/sdk/src/metadata/fieldDescription.ts";
import * as limits from "../../packages/sdk/src/metadata/limits.ts";
import { metadataSchema } from "../../packages/sdk/src/metadata/metadataSchema.ts";
import { MAX_TRAIT_LENGTH, MAX_TRAITS } from "../../packages/sdk/src/traits.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Returns the text of docs/metadata.md with the fields of the JSON Schema and the limits. */
export async function renderMetadataPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/metadata.md"), "utf8");
  return replaceBlock(
    replaceBlock(page, "metadata-fields", renderFields()),
    "metadata-limits",
    renderLimits(),
  );
}

/** Formats the fields of the document and of its entries. The JSON Schema has those below. */
const renderFields = (): string =>
  markdownTable(
    ["Field", "Type", "Meaning"],
    listFieldRows(metadataSchema).filter(([path = ""]) => path.split(".").length <= 2),
  );

/** Returns the rows of a schema's fields, with `[]` for the entries of a list and `*` for any key. */
export function listFieldRows(schema: z.core.$ZodType, path = ""): string[][] {
  const { def } = getUsualSchema(schema)._zod;
  if (def.type === "array") return listFieldRows(def.element, `${path}[]`);
  if (def.type === "record") return listFieldRows(def.valueType, `${path}.*`);
  if (def.type !== "object") return [];
  return Object.entries(def.shape).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const isRequired = field._zod.def.type !== "optional";
    const meaning = getMeaning(fieldDescriptions.get(field) ?? {}) ?? "";
    return [
      [
        `\`${place}\``,
        formatType(field) + (isRequired ? ", required" : "") + (isUnchecked(field) ? ", not checked" : ""),
        meaning,
      ],
      ...listFieldRows(field, place),
    ];
  });
}

function formatType(schema: z.core.$ZodType): string {
  if (isUrlSchema(schema)) return "URL";
  const { def } = getUsualSchema(schema)._zod;
  if (def.type === "union") return def.options.map(formatType).join(" or ");
  if (def.type === "enum") return Object.values(def.entries).join(" or ");
  if (def.type === "array") return `list of ${formatType(def.element)}`;
  return { record: "object", unknown: "any" }[def.type as string] ?? def.type;
}

const renderLimits = (): string =>
  markdownTable(
    ["Item", "At most"],
    [
      ["name, publisher, each other `name`", `${limits.MAX_NAME_LENGTH} characters`],
      ["description", `${formatNumber(limits.MAX_DESCRIPTION_LENGTH)} characters`],
      ["releaseNotes, deprecation", `${formatNumber(limits.MAX_NOTES_LENGTH)} characters`],
      ["URL", `${formatNumber(limits.MAX_URL_LENGTH)} characters`],
      ["traits", `${MAX_TRAITS}, of ${MAX_TRAIT_LENGTH} characters`],
      ["endpoints, payments, each list of URLs", formatNumber(limits.MAX_LIST_LENGTH)],
      ["tools, resources, prompts of an endpoint", `${formatNumber(limits.MAX_MCP_ENTRIES)} each`],
      ["document", `${formatNumber(limits.MAX_DOCUMENT_SIZE)} bytes of canonical text`],
      [
        "document stored on the chain",
        `${formatNumber(limits.MAX_STORED_METADATA_SIZE)} bytes of canonical text`,
      ],
      ["nesting", `${MAX_JSON_DEPTH} levels`],
    ],
  );
