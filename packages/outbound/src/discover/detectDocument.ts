import {
  isJsonObject,
  JsonDocumentError,
  type JsonObject,
  MAX_DOCUMENT_SIZE,
  parseJsonStrict,
} from "@app-registry/sdk";
import type { FetchedDocument } from "../fetch/guardedFetch.ts";
import type { DiscoverySession } from "./discoverySession.ts";
import { tooLargeError } from "../fetch/guardedFetchError.ts";
import { ImportError } from "../import/importError.ts";
import type { Finding } from "./finding.ts";
import { describeForeignDocument } from "./foreignDocument.ts";
import { agentCardFinding, isAgentCard } from "./read/agentCardFinding.ts";
import { checkCardSignatures } from "./read/cardSignatures.ts";
import { checkRegistrations } from "./read/checkRegistrations.ts";
import { asArray, asObject, asObjectArray, asString, parseJson } from "./read/json.ts";
import { isMetadata, metadataFinding } from "./read/metadataFinding.ts";
import {
  isOpenApi,
  isOpenApiYaml,
  openApiFinding,
  parseOpenApiYaml,
  takeValues,
  type ValueBudget,
} from "./read/openApiFinding.ts";
import { listPaidUrls } from "./read/paymentFinding.ts";
import { type Page, readPage } from "./read/readPage.ts";
import { isRegistrationFile, listServices, registrationFinding } from "./read/registrationFinding.ts";
import { type DescribedServer, readServerCards } from "./read/serverCard.ts";

/** Recognized document, by type. */
export type DetectedDocument =
  | { type: "finding"; finding: Finding /** Other documents that the finding links to. */; links: string[] }
  | { type: "page"; page: Page; url: string }
  | { type: "catalog"; links: string[] }
  | { type: "server cards"; servers: DescribedServer[] };

/**
 * Recognizes a document by its content, regardless of its address and content type. Only OpenAPI documents may be
 * larger than `MAX_DOCUMENT_SIZE`.
 * @param session Session that reads what proves signatures and registrations. Without it, they are not checked.
 * @returns The document, or `undefined` if its type is unknown.
 * @throws JsonDocumentError, ImportError, GuardedFetchError
 */
export async function detectDocument(
  { text: served, url, contentType, budget }: FetchedDocument & { budget?: ValueBudget },
  session?: DiscoverySession,
): Promise<DetectedDocument | undefined> {
  const text = served.replace(/^\uFEFF/, "");
  if (/^\s*\{/.test(text)) {
    const document = parseDocument(served, text, url);
    const detected = detectJson(document, url) ?? rejectForeign(text);
    if (session && detected?.type === "finding")
      await addProofNotes(detected.finding, document as JsonObject, session);
    return detected;
  }
  const isPage = /html/.test(contentType) || /^\s*<(?:!doctype html|html|head)\b/i.test(text);
  if (!isPage && isOpenApiYaml(text)) return detectOpenApi(await parseOpenApiYaml(text, url, budget), url);
  if (text.length > MAX_DOCUMENT_SIZE) throw tooLargeError(url, MAX_DOCUMENT_SIZE);
  if (isPage) return { type: "page", page: readPage(text, url), url };
  return rejectForeign(text);
}

/** Throws if the text is of a known kind that can't be registered. */
function rejectForeign(text: string): undefined {
  const sentence = describeForeignDocument(text);
  if (sentence !== undefined) throw new ImportError("foreign-document", sentence);
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

/** Adds notes about the signatures of an agent card, or the registrations of an agent, before the other notes. */
async function addProofNotes(finding: Finding, document: JsonObject, session: DiscoverySession) {
  const check = { a2a: checkCardSignatures, erc8004: checkRegistrations }[finding.kind as string];
  const notes = (await check?.(document, finding.url, session)) ?? [];
  if (notes.length > 0) finding.notes = [...notes, ...(finding.notes ?? [])];
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
  if (isOpenApi(json)) return detectOpenApi(json, url);
  if (isRegistrationFile(json)) {
    const services = listServices(json).map(({ endpoint }) => endpoint);
    return found(
      registrationFinding(json, url),
      services.filter((service) => /^https?:/i.test(service)),
    );
  }
  // Many MCP server cards have the fields by which an agent card is recognized.
  const servers = readServerCards(json, url);
  if (servers) return { type: "server cards", servers };
  if (isAgentCard(json)) return found(agentCardFinding(json, url));
  const links = listCatalogLinks(json);
  return links && { type: "catalog", links };
}

function detectOpenApi(document: JsonObject, url: string): DetectedDocument {
  const finding = openApiFinding(document, url);
  return { type: "finding", finding, links: listPaidUrls(document, finding) };
}

/** Maximum number of catalog entries to read. */
const MAX_CATALOG_ENTRIES = 100;

/** Media types of supported entries of an AI catalog. */
const readableMediaTypes = /a2a-agent-card|mcp-server-card|openapi|ai-card/i;

/**
 * Lists the documents that a catalog links to: the entries of an AI catalog (`/.well-known/ai-catalog.json`), or the
 * `service-desc` links of an API catalog (RFC 9727, a linkset of RFC 9264). Returns `undefined` if the document is not
 * a catalog.
 */
function listCatalogLinks(document: JsonObject): string[] | undefined {
  if (asString(document.specVersion) !== undefined && Array.isArray(document.entries)) {
    return asObjectArray(asArray(document.entries).slice(0, MAX_CATALOG_ENTRIES))
      .filter(({ mediaType, type }) => readableMediaTypes.test(asString(mediaType) ?? asString(type) ?? ""))
      .flatMap(({ url }) => asString(url) ?? []);
  }
  if (!Array.isArray(document.linkset)) return undefined;
  return asObjectArray(document.linkset.slice(0, MAX_CATALOG_ENTRIES))
    .flatMap((context) => asObjectArray(asObject(context)["service-desc"]))
    .flatMap(({ href }) => asString(href) ?? []);
}
