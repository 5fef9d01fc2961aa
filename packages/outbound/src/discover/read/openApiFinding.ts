import { endpointName, Interfaces, isJsonObject, type JsonObject } from "@app-registry/sdk";
import { isLoopbackHost } from "../../fetch/publicAddress.ts";
import { ImportError } from "../../import/importError.ts";
import type { Finding } from "../finding.ts";
import { normalizeVersion } from "../normalizeVersion.ts";
import { pickFirstValid, sanitizeMetadata } from "../sanitizeMetadata.ts";
import { asObject, asObjectArray, asString } from "./json.ts";
import { toAuthentication } from "./toAuthentication.ts";
import { toTraits } from "./toTraits.ts";

/** Maximum number of a document's servers that become endpoints. */
const MAX_SERVERS = 5;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/**
 * Creates the finding of an OpenAPI 3 document. It describes the API as a whole, not its operations.
 * @throws {ImportError} `openapi-invalid` for another version.
 */
export function openApiFinding(document: JsonObject, url: string): Finding {
  const openapi = asString(document.openapi);
  if (!openapi?.startsWith("3.")) {
    throw new ImportError("openapi-invalid", `${url} is not an OpenAPI 3 document. Convert it first.`);
  }
  const info = asObject(document.info);
  const contact = asObject(info.contact);
  const apiVersion = asString(info.version);
  const authentication = toAuthentication(asObject(document.components).securitySchemes);
  const version = normalizeVersion(apiVersion);
  const operations = Object.values(asObject(document.paths)).reduce<number>(
    (sum, path) => sum + methods.filter((method) => Object.hasOwn(asObject(path), method)).length,
    0,
  );
  const email = asString(contact.email);
  return {
    kind: "openapi",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: operations > 0 ? [`${operations} operation${operations === 1 ? "" : "s"}`] : [],
    metadata: sanitizeMetadata({
      name: asString(info.title),
      description: asString(info.description) ?? asString(info.summary),
      publisher: asString(contact.name),
      external_url: pickFirstValid("external_url", [asObject(document.externalDocs).url]),
      supportUrl: pickFirstValid("supportUrl", [contact.url, email && `mailto:${email}`]),
      traits: toTraits(
        ["api:rest"],
        asObjectArray(document.tags).flatMap(({ name }) => asString(name) ?? []),
      ),
      endpoints: listServers(document, url).map(({ name, endpoint }) => ({
        name,
        endpoint,
        schemaUrl: url,
        ...(apiVersion !== undefined && { interfaceVersions: [apiVersion] }),
        ...(authentication && { authentication }),
      })),
    }),
  };
}

/**
 * Lists the absolute URLs of the servers, with the defaults of their variables. They are relative to the document's
 * URL, and the default is its root (OpenAPI 3.1, section 4.8.5). Omits loopback servers of documents from other hosts.
 */
function listServers(document: JsonObject, documentUrl: string): { name: string; endpoint: string }[] {
  const written = asObjectArray(document.servers);
  const servers = new Map<string, string | undefined>();
  for (const server of written.length > 0 ? written : [{ url: "/" } as JsonObject]) {
    const variables = asObject(server.variables);
    const filled = (asString(server.url) ?? "/").replace(
      /\{([^{}]+)\}/g,
      (whole, name: string) =>
        asString(asObject(Object.hasOwn(variables, name) ? variables[name] : undefined).default) ?? whole,
    );
    // Skip a URL with a variable that has no default: it can't be requested.
    if (/[{}]/.test(filled) || !URL.canParse(filled, documentUrl)) continue;
    const url = new URL(filled, documentUrl);
    const isLocal = isLoopbackHost(url.hostname) && !isLoopbackHost(new URL(documentUrl).hostname);
    if (!isLocal && !servers.has(url.href)) servers.set(url.href, asString(server.description));
  }
  const taken = new Set<string>();
  return [...servers].slice(0, MAX_SERVERS).map(([endpoint, description], index) => {
    const base = endpointName("api:rest");
    const further = `${base} ${index + 1}`;
    const described = description === undefined ? further : `${base}: ${description.slice(0, 100)}`;
    const name = index === 0 ? base : taken.has(described) ? further : described;
    taken.add(name);
    return { name, endpoint };
  });
}

/** Maximum size of YAML to parse, in bytes. Parsing 150 kB takes a second. */
const MAX_YAML = 64 * 1024;

/** Returns true if a text may be an OpenAPI document in YAML. */
export const isOpenApiYaml = (text: string): boolean => /^["']?openapi["']?\s*:/m.test(text.slice(0, 4_096));

/**
 * Parses those sections of an OpenAPI document in YAML that describe the API as a whole.
 * @throws {ImportError} `openapi-invalid`.
 */
export async function parseOpenApiYaml(text: string, url: string): Promise<JsonObject> {
  const invalid = (why: string, cause?: unknown) =>
    new ImportError("openapi-invalid", `${url} is not an OpenAPI document: ${why}`, { cause });
  const parts = extractTopLevelSections(text);
  if (parts.length > MAX_YAML) throw invalid(`it has more than ${MAX_YAML / 1024} KiB of YAML`);
  const { parse } = await import("yaml");
  try {
    // Turn off the check for unique keys: it compares all pairs and takes seconds for a hostile document.
    const value: unknown = parse(parts, { uniqueKeys: false, logLevel: "silent" });
    // Convert through JSON, because YAML has values that JSON can't represent.
    if (isJsonObject(value)) return JSON.parse(JSON.stringify(value)) as JsonObject;
  } catch (error) {
    throw invalid(error instanceof Error ? error.message.slice(0, 200) : "it can't be parsed", error);
  }
  throw invalid("it is not an object");
}

const parsedSections = new Set(["openapi", "info", "servers", "tags", "externalDocs", "components"]);

/**
 * Extracts the lines of the sections that are read. Paths and schemas make up most of a document, and a YAML parser
 * takes seconds for a large one.
 */
function extractTopLevelSections(text: string): string {
  let isWanted = true;
  let inner: { indent: number; isWanted: boolean } | undefined;
  const lines = text.split(/\r?\n/).filter((line) => {
    const [, indent = "", key] = /^( *)["']?([A-Za-z][\w-]*)["']?\s*:/.exec(line) ?? [];
    if (key !== undefined && indent === "") {
      isWanted = parsedSections.has(key);
      inner = key === "components" ? { indent: 0, isWanted: true } : undefined;
    } else if (key !== undefined && inner) {
      inner.indent ||= indent.length;
      if (indent.length === inner.indent) inner.isWanted = key === "securitySchemes";
    }
    return isWanted && inner?.isWanted !== false;
  });
  return lines.join("\n");
}
