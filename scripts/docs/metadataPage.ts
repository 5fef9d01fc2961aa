import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatNumber, markdownTable } from "../../bench/results.ts";
import { MAX_JSON_DEPTH } from "../../packages/sdk/src/json.ts";
import * as limits from "../../packages/sdk/src/metadata/limits.ts";
import { metadataJsonSchema } from "../../packages/sdk/src/metadata/metadataJsonSchema.ts";
import { MAX_TRAIT_LENGTH, MAX_TRAITS } from "../../packages/sdk/src/traits.ts";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

/** Part of a JSON Schema that the page shows. */
interface Schema {
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema;
  anyOf?: Schema[];
}

interface Field {
  path: string;
  type: string;
  isRequired: boolean;
}

/** Meanings of fields, by path. Each field at the top has one; the names of others are enough. */
const meanings: Record<string, string> = {
  name: "name of the service, one line",
  description: "what the service does",
  image: "icon",
  publisher: "person or organization responsible for the service",
  external_url: "home page",
  supportUrl: "page or mail address for help",
  platforms: "how people open or get an app, by platform: `web`, `ios`, `android`, …",
  "platforms.*.launchUrl": "page that opens the app",
  "platforms.*.downloadUrl": "page to get the app",
  "platforms.*.artifactDid": "DID of the app's package",
  screenshotUrls: "screenshots",
  videoUrls: "videos",
  threeDAssetUrls: "3D assets",
  portalUrl: "entry point in a virtual world",
  endpoints: "where programs call the service",
  "endpoints[].name": "`MCP` for an MCP server, `Contract` for a contract's RPC and ABI, else free",
  "endpoints[].endpoint": "URL of the endpoint; may be left out only in `Contract`",
  "endpoints[].schemaUrl": "OpenAPI document, GraphQL SDL, ABI, …",
  "endpoints[].interfaceVersions": "versions of the interface",
  "endpoints[].tools": "MCP tools",
  "endpoints[].tools[].inputSchema": "JSON Schema",
  "endpoints[].resources": "MCP resources",
  "endpoints[].resources[].uri": "any scheme except `javascript:`, `vbscript:` and `data:`",
  "endpoints[].prompts": "MCP prompts",
  "endpoints[].transport": "how to call the endpoint",
  "endpoints[].authentication": "how callers authenticate",
  "endpoints[].authentication.methods": "of an agent",
  "endpoints[].authentication.jwksUrl": "of an agent",
  "endpoints[].authentication.issuer": "of an agent",
  endpoint: "the earlier layout: one endpoint without a name",
  interfaceVersions: "the earlier layout: versions of `endpoint`",
  payments: "ways to pay",
  "payments[].type": "for example `x402`",
  "payments[].chains": "CAIP-2 chains, for example `eip155:1`",
  traits: "tags that search compares by hash ([traits](identifiers.md#traits))",
  releaseNotes: "changes in this version",
  deprecation: "why not to use this version, and what to do instead",
  replacedBy: "canonical DID of the successor",
  probe: "`false` opts out of [live checks](live.md#opt-out)",
};

/** Returns the text of docs/metadata.md with the fields of the JSON Schema and the limits. */
export async function renderMetadataPage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/metadata.md"), "utf8");
  return replaceBlock(
    replaceBlock(page, "metadata-fields", renderFields()),
    "metadata-limits",
    renderLimits(),
  );
}

/** @throws Error if a field at the top has no meaning, or a meaning no field */
function renderFields(): string {
  const fields = listFields(metadataJsonSchema() as Schema, "");
  const paths = new Set(fields.map(({ path }) => path));
  const wrong = [...paths].filter((path) => !/[.[]/.test(path) && meanings[path] === undefined);
  wrong.push(...Object.keys(meanings).filter((path) => !paths.has(path)));
  if (wrong.length > 0)
    throw new Error(`scripts/docs/metadataPage.ts must name each field: ${wrong.join(", ")}`);
  const rows = fields.map(({ path, type, isRequired }) => {
    return [`\`${path}\``, type, isRequired ? "yes" : "", meanings[path] ?? ""];
  });
  return markdownTable(["Field", "Type", "Required", "Meaning"], rows);
}

/** Lists the fields of a schema, with `[]` for the entries of a list and `*` for any key. */
function listFields({ properties = {}, required = [] }: Schema, prefix: string): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name;
    const { items, additionalProperties } = schema;
    return [
      { path, type: formatType(schema), isRequired: required.includes(name) },
      ...listFields(schema, `${path}.`),
      ...(items ? listFields(items, `${path}[].`) : []),
      ...(additionalProperties ? listFields(additionalProperties, `${path}.*.`) : []),
    ];
  });
}

function formatType({ type, format, items, anyOf }: Schema): string {
  if (anyOf) return anyOf.map(formatType).join(" or ");
  if (items) return `list of ${formatType(items)}`;
  if (format === "uri") return "URL";
  return [type ?? "any"].flat().join(" or ");
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
