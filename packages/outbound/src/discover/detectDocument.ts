import { isJsonObject, JsonDocumentError, type JsonObject, parseJsonStrict } from "@app-registry/sdk";
import type { FetchedDocument } from "../fetch/guardedFetch.ts";
import type { Finding } from "./finding.ts";
import { agentCardFinding, isAgentCard, supportedInterfaces } from "./read/agentCardFinding.ts";
import { type Catalog, readCatalog } from "./read/catalog.ts";
import { asObjectArray, asString } from "./read/json.ts";
import { isMetadata, metadataFinding } from "./read/metadataFinding.ts";
import { isOpenApiYaml, openApiFinding, parseOpenApiYaml } from "./read/openApiFinding.ts";
import { type Page, readPage } from "./read/readPage.ts";
import { isRegistrationFile, listServices, registrationFinding } from "./read/registrationFinding.ts";
import { listRemotes, type Remote } from "./read/serverCard.ts";

/** Recognized document, by type. */
export type DetectedDocument =
  | { type: "finding"; finding: Finding /** Other documents that the finding links to. */; links: string[] }
  | { type: "page"; page: Page; url: string }
  | { type: "catalog"; catalog: Catalog }
  | { type: "server card"; card: JsonObject; remotes: Remote[] };

/**
 * Recognizes a document by its content, regardless of its address and content type.
 * @returns The document, or `undefined` if its type is unknown.
 * @throws JsonDocumentError, ImportError
 */
export async function detectDocument({
  text,
  url,
  contentType,
}: FetchedDocument): Promise<DetectedDocument | undefined> {
  if (/^\s*\{/.test(text)) return detectJson(parseDocument(text), url);
  if (/html/.test(contentType) || /^\s*<(?:!doctype html|html|head)\b/i.test(text)) {
    return { type: "page", page: readPage(text, url), url };
  }
  if (!isOpenApiYaml(text)) return undefined;
  const finding = openApiFinding(await parseOpenApiYaml(text, url), url);
  return { type: "finding", finding, links: [] };
}

/** JSON errors in values that readers drop or never read, such as the limits of a JSON Schema. */
const ignorableErrorCodes = new Set(["number-not-exact", "number-out-of-range", "lone-surrogate"]);

/**
 * Parses a JSON document. Tolerates ignorable errors, except in a metadata JSON, because its hash covers every value.
 */
function parseDocument(text: string): unknown {
  try {
    return parseJsonStrict(text);
  } catch (error) {
    if (!(error instanceof JsonDocumentError) || !ignorableErrorCodes.has(error.code)) throw error;
    const document: unknown = JSON.parse(text);
    if (isJsonObject(document) && isMetadata(document as JsonObject)) throw error;
    return document;
  }
}

function detectJson(document: unknown, url: string): DetectedDocument | undefined {
  if (!isJsonObject(document)) return undefined;
  const json = document as JsonObject;
  const found = (finding: Finding, links: string[] = []): DetectedDocument => ({
    type: "finding",
    finding,
    links,
  });
  if (isMetadata(json)) return found(metadataFinding(json, url));
  if (asString(json.openapi ?? json.swagger) !== undefined) return found(openApiFinding(json, url));
  if (isRegistrationFile(json)) {
    const services = listServices(json).flatMap(({ endpoint }) => asString(endpoint) ?? []);
    return found(
      registrationFinding(json, url),
      services.filter((service) => /^https?:/i.test(service)),
    );
  }
  if (isAgentCard(json)) return found(agentCardFinding(json, url));
  const catalog = readCatalog(json);
  if (catalog) return { type: "catalog", catalog };
  const remotes = listRemotes(json, url);
  return remotes && { type: "server card", card: json, remotes };
}

/**
 * Recognizes a document that a catalog contains, and that has no URL of its own. An agent's endpoint is then its
 * interface, and an API has no `schemaUrl`. Returns `undefined` if the type is unknown or the document can't be read.
 */
export function detectInlineDocument(
  document: JsonObject,
  catalogUrl: string,
  identifier: string | undefined,
): DetectedDocument | undefined {
  const [first] = isAgentCard(document) ? supportedInterfaces(document) : [];
  const own = asString(first?.url) ?? "";
  let detected: DetectedDocument | undefined;
  try {
    detected = detectJson(document, URL.canParse(own) ? own : catalogUrl);
  } catch {
    return undefined;
  }
  if (detected?.type !== "finding") return detected;
  const { kind, metadata, notes = [] } = detected.finding;
  const endpoints = asObjectArray(metadata.endpoints).map(({ schemaUrl: _, ...entry }) => entry);
  const isWhole = kind === "metadata" || endpoints.length === 0;
  const note = `Its description is only in the catalog at ${catalogUrl}. Publish it at a URL of its own, too.`;
  const finding = {
    ...detected.finding,
    url: catalogUrl,
    ...(identifier !== undefined && { identifier }),
    metadata: isWhole ? metadata : { ...metadata, endpoints },
    notes: [...notes, note],
  };
  return { type: "finding", finding, links: [] };
}
