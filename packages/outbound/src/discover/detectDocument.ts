import {
  CONTRACT_ENDPOINT_NAME,
  getEndpoints,
  Interfaces,
  isJsonObject,
  JsonDocumentError,
  type JsonObject,
  MAX_DOCUMENT_SIZE,
  metadataSchema,
  parseJsonStrict,
} from "@app-registry/sdk";
import type { FetchedDocument } from "../fetch/guardedFetch.ts";
import { tooLargeError } from "../fetch/guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";
import { asObjectArray, asString, parseJson, parseJsonObject } from "../import/json.ts";
import { sanitizeMetadata } from "../import/sanitizeMetadata.ts";
import type { Finding } from "./finding.ts";
import { agentCardFinding, isAgentCard, supportedInterfaces } from "./read/agentCardFinding.ts";
import { noteAddresses } from "./read/documentTexts.ts";
import { type ListedAddresses, listAddresses, type VariableValues } from "./read/namedAddresses.ts";
import {
  isOpenApi,
  isOpenApiYaml,
  openApiFinding,
  parseOpenApiYaml,
  takeValues,
  type ValueBudget,
} from "./read/openApiFinding.ts";
import { listPaidUrls } from "./read/paymentFinding.ts";
import { isRegistrationFile, listServices, registrationFinding } from "./read/registrationFinding.ts";
import { readServerJson, type ServerJson } from "./read/serverJson.ts";
import { type Page, readPage } from "./read/websiteFinding.ts";

export type DetectedDocument =
  | { type: "finding"; finding: Finding /** Other documents that the finding links to. */; links: string[] }
  | { type: "page"; page: Page; url: string }
  | { type: "servers"; servers: ServerJson[] }
  | ({ type: "addresses"; document: JsonObject } & ListedAddresses);

/**
 * Recognizes a document by its content, regardless of its address and content type. Only OpenAPI documents may be
 * larger than `MAX_DOCUMENT_SIZE`.
 * @returns The document, or `undefined` if its type is unknown.
 * @throws JsonDocumentError, ImportError, GuardedFetchError
 */
export async function detectDocument({
  text: served,
  url,
  contentType,
  budget,
  variables,
}: FetchedDocument & {
  budget?: ValueBudget;
  variables?: VariableValues;
}): Promise<DetectedDocument | undefined> {
  const text = served.replace(/^\uFEFF/, "");
  if (/^\s*\{/.test(text)) {
    const document = parseDocument(served, text, url);
    return detectJson(document, url, variables);
  }
  const isPage = /html/.test(contentType) || /^\s*<(?:!doctype html|html|head)\b/i.test(text);
  if (!isPage && isOpenApiYaml(text))
    return detectOpenApi(await parseOpenApiYaml(text, url, budget), url, variables);
  if (text.length > MAX_DOCUMENT_SIZE) throw tooLargeError(url, MAX_DOCUMENT_SIZE);
  if (isPage) return { type: "page", page: readPage(text, url), url };
  if (viewerScript.test(url)) return detectInScript(text, url);
  return undefined;
}

/** Scripts of Swagger UI that name its document, or have it inside as those of Express and NestJS do. */
const viewerScript = /\/swagger-(?:ui-init|initializer)\.js$/;

function detectInScript(text: string, url: string): DetectedDocument | undefined {
  const [, options = ""] = /\boptions = (\{[\s\S]*?\n\});/.exec(text) ?? [];
  const { swaggerDoc } = parseJsonObject(options) ?? {};
  const finding = isJsonObject(swaggerDoc) && readInlineDocument(swaggerDoc as JsonObject, url);
  if (finding) return { type: "finding", finding, links: [] };
  return { type: "page", page: readPage(text, url), url };
}

/** JSON errors in values that readers drop or never read, such as the limits of a JSON Schema. */
const ignorableErrorCodes = new Set(["number-not-exact", "number-out-of-range", "lone-surrogate"]);

/**
 * Parses a JSON document, as it was served or without its byte order mark. Reads a metadata JSON as it was served,
 * because its hash covers every value. Tolerates ignorable errors in other documents, and duplicate keys in OpenAPI.
 */
function parseDocument(served: string, text: string, url: string): unknown {
  const isLarge = text.length > MAX_DOCUMENT_SIZE;
  if (isLarge) takeValues(text, /[,[{]/, url);
  const document = parseJson(text);
  if (isJsonObject(document) && isMetadata(document as JsonObject)) return parseJsonStrict(served);
  if (isJsonObject(document) && isOpenApi(document as JsonObject)) return document;
  if (isLarge) throw tooLargeError(url, MAX_DOCUMENT_SIZE);
  try {
    return parseJsonStrict(text);
  } catch (error) {
    if (error instanceof JsonDocumentError && ignorableErrorCodes.has(error.code)) return document;
    throw error;
  }
}

function detectJson(
  document: unknown,
  url: string,
  variables?: VariableValues,
): DetectedDocument | undefined {
  if (!isJsonObject(document)) return undefined;
  const json = document as JsonObject;
  const found = (finding: Finding, links: string[] = []): DetectedDocument => ({
    type: "finding",
    finding,
    links,
  });
  if (isMetadata(json)) return found(metadataFinding(json, url));
  if (isOpenApi(json)) return detectOpenApi(json, url, variables);
  const services = isRegistrationFile(json, url) ? listServices(json, url) : undefined;
  // An agent card may have the fields of a registration file as well.
  if (services?.some(({ apiTrait }) => apiTrait) || (services && !(isAgentCard(json) && json.skills))) {
    return found(
      registrationFinding(json, url),
      services.flatMap(({ endpoint }) => (/^https?:/i.test(endpoint) ? endpoint : [])),
    );
  }
  const servers = readServerJson(json, url);
  if (servers) return { type: "servers", servers };
  if (isAgentCard(json)) return found(agentCardFinding(json, url));
  const listed = listAddresses(json, url, (inner) => isAgentCard(inner) || isOpenApi(inner));
  if (listed.addresses.length + listed.inside.length > 0)
    return { type: "addresses", document: json, ...listed };
  const about = { document: "The document", service: "The service", url };
  const [unreachable] = noteAddresses(about, [], listed.unreachable);
  const nothing = `The JSON at ${url} names no address of a service. Enter the address at which the service runs.`;
  throw new ImportError("foreign-document", unreachable ?? nothing);
}

function detectOpenApi(document: JsonObject, url: string, variables?: VariableValues): DetectedDocument {
  const finding = openApiFinding(document, url, variables);
  return { type: "finding", finding, links: listPaidUrls(document, finding) };
}

/**
 * Creates the finding of a document inside a catalog or a script, which has no URL of its own. An agent's endpoint is
 * then its interface, and an API has no `schemaUrl`. Returns `undefined` if the document can't be read.
 */
export function readInlineDocument(
  document: JsonObject,
  outerUrl: string,
  identifier?: string,
): Finding | undefined {
  const [first] = isAgentCard(document) ? supportedInterfaces(document) : [];
  const own = asString(first?.url) ?? "";
  const url = URL.canParse(own) ? own : outerUrl;
  try {
    const finding = first ? agentCardFinding(document, url) : openApiFinding(document, url);
    const endpoints = asObjectArray(finding.metadata.endpoints).map(({ schemaUrl: _, ...entry }) => entry);
    const note = `Its description is only inside ${outerUrl}. Publish it at a URL of its own, too.`;
    return {
      ...finding,
      url: outerUrl,
      ...(identifier !== undefined && { identifier }),
      metadata: { ...finding.metadata, ...(endpoints.length > 0 && { endpoints }) },
      notes: [...(finding.notes ?? []), note],
    };
  } catch {
    return undefined;
  }
}

/** Fields of other formats that also have a publisher. A metadata JSON has its addresses in `endpoints`. */
const otherFields = [
  "url",
  "endpoint_url",
  "mcp",
  "server",
  "servers",
  "remotes",
  "transport",
  "api",
  "tools",
  "skills",
];

/** Returns true if a document has the required texts of this registry's metadata JSON. */
const isMetadata = (document: JsonObject): boolean =>
  [document.name, document.description, document.publisher].every((text) => asString(text) !== undefined) &&
  (Array.isArray(document.endpoints) || !otherFields.some((field) => field in document));

/** Creates the finding of a metadata JSON. The document is unchanged, unless it is invalid and has to be sanitized. */
function metadataFinding(document: JsonObject, url: string): Finding {
  const metadata = metadataSchema.safeParse(document).success ? document : sanitizeMetadata(document);
  const entries = getEndpoints(metadata as Parameters<typeof getEndpoints>[0]);
  const apis = entries.filter(({ name }) => name !== CONTRACT_ENDPOINT_NAME);
  const isHuman = isJsonObject(metadata.platforms) && Object.keys(metadata.platforms).length > 0;
  return {
    kind: "metadata",
    url,
    interfaces:
      (isHuman ? Interfaces.Human : 0) |
      (apis.length > 0 ? Interfaces.Api : 0) |
      (entries.length > apis.length ? Interfaces.Contract : 0),
    offers: [],
    metadata,
  };
}
