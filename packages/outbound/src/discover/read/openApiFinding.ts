import { runInNewContext } from "node:vm";
import {
  endpointName,
  Interfaces,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MAX_URL_LENGTH,
} from "@app-registry/sdk";
import { findAddressProblem } from "@app-registry/sdk/internal";
import { printable } from "../../fetch/guardedFetchError.ts";
import { ImportError } from "../../import/importError.ts";
import { asArray, asObject, asObjectArray, asString, asStringArray } from "../../import/json.ts";
import { pickFirstValid, sanitizeMetadata, toTraits } from "../../import/sanitizeMetadata.ts";
import { type Finding, formatCount, formatFirst, type UrlVariable } from "../finding.ts";
import {
  describeUnusableVersion,
  isUnreachable,
  normalizeVersion,
  noteAddresses,
  pickWebsite,
} from "./documentTexts.ts";
import {
  fillVariables,
  isTrial,
  listVariables,
  toSample,
  toTemplate,
  type VariableValues,
} from "./namedAddresses.ts";
import { toAuthentication } from "./toAuthentication.ts";

/** Maximum size of an OpenAPI document, in bytes. */
export const MAX_OPENAPI_SIZE = 8 * 1024 * 1024;

/** Maximum number of a document's servers that become endpoints. */
const MAX_SERVERS = 5;

/** Maximum number of servers, tags or security schemes of a document that are read. */
const MAX_ITEMS = 100;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** Returns true if a JSON document has the field of an OpenAPI or Swagger version. */
export const isOpenApi = (document: JsonObject): boolean =>
  /^\d/.test(asText(document.openapi) ?? asText(document.swagger) ?? "");

/** Returns a text, or the text of a number, because authors leave out the quotes of versions and ports. */
const asText = (value: JsonValue | undefined): string | undefined =>
  asString(typeof value === "number" ? String(value) : value);

/**
 * Creates the finding of an OpenAPI 3 or Swagger 2.0 document. It describes the API as a whole, not its operations.
 * @param given Values of the variables in the address of a server.
 * @throws {ImportError} `openapi-invalid` for another version.
 */
export function openApiFinding(written: JsonObject, url: string, given: VariableValues = {}): Finding {
  const document = toOpenApi3(written, url);
  const info = asObject(document.info);
  const contact = asObject(info.contact);
  const apiVersion = asText(info.version);
  const operations = Object.values(asObject(document.paths)).flatMap((path) =>
    listOperations(asObject(path)),
  );
  const authentication = toAuthentication(listUsedSchemes(document, operations));
  const version = normalizeVersion(apiVersion);
  const { servers, variables, notes: serverNotes } = readServers(document, url, given);
  const notes = [
    ...(apiVersion !== undefined && !version ? [describeUnusableVersion(apiVersion)] : []),
    ...(operations.some(({ responses }) => Object.hasOwn(asObject(responses), "402")) ? [UNREAD_PRICE] : []),
    ...serverNotes,
  ];
  const email = asString(contact.email);
  return {
    kind: "openapi",
    url,
    interfaces: Interfaces.Api,
    ...(version !== undefined && { version }),
    offers: operations.length > 0 ? [formatCount(operations, "operation")] : [],
    ...(variables.length > 0 && { variables }),
    ...(notes.length > 0 && { notes }),
    metadata: sanitizeMetadata({
      name: asString(info.title),
      description: asString(info.description) ?? asString(info.summary),
      publisher: asString(contact.name),
      external_url: pickWebsite([asObject(document.externalDocs).url]),
      supportUrl: pickFirstValid("supportUrl", [contact.url, email && `mailto:${email}`]),
      traits: toTraits(
        ["api:rest"],
        asObjectArray(asArray(document.tags).slice(0, MAX_ITEMS)).flatMap(({ name }) => asString(name) ?? []),
      ),
      endpoints: servers.map(({ name, endpoint }) => ({
        name,
        endpoint,
        schemaUrl: url,
        ...(apiVersion !== undefined && { interfaceVersions: [apiVersion] }),
        ...(authentication && { authentication }),
      })),
    }),
  };
}

const listOperations = (path: JsonObject): JsonObject[] => [
  ...methods.filter((method) => Object.hasOwn(path, method)).map((method) => asObject(path[method])),
  // Since OpenAPI 3.2, further methods are in a map.
  ...Object.values(asObject(path.additionalOperations)).map(asObject),
];

/** Returns the security schemes that a requirement of the document or of an operation names, or else all. */
function listUsedSchemes(document: JsonObject, operations: readonly JsonObject[]): JsonObject {
  const schemes = Object.entries(asObject(asObject(document.components).securitySchemes));
  const required = [document, ...operations].flatMap(({ security }) => asObjectArray(security));
  const names = new Set(required.flatMap(Object.keys));
  const used = schemes.filter(([name]) => names.has(name));
  return Object.fromEntries((used.length > 0 ? used : schemes).slice(0, MAX_ITEMS));
}

/** Note that `addPrice` removes once it has read the price. */
export const UNREAD_PRICE =
  "Some operations may require payment (HTTP 402), but their price couldn't be read. Add it under Payments.";

/**
 * Returns a document of OpenAPI 3 unchanged, and of a Swagger 2.0 document those parts of the OpenAPI 3 equivalent that
 * describe the API as a whole.
 */
function toOpenApi3(document: JsonObject, url: string): JsonObject {
  if (/^3(?:\.|$)/.test(asText(document.openapi) ?? "")) return document;
  if (!/^2(?:\.|$)/.test(asText(document.swagger) ?? "")) {
    throw new ImportError(
      "openapi-invalid",
      `${url} isn't OpenAPI 3 or Swagger 2.0. Convert it to OpenAPI 3.`,
    );
  }
  // The scheme and the host default to those of the document's URL.
  const { protocol, host } = new URL(url);
  const schemes = asStringArray(document.schemes).filter((scheme) => /^https?$/.test(scheme));
  const scheme = schemes.includes("https") ? "https" : (schemes[0] ?? protocol.slice(0, -1));
  const authority = (asString(document.host) ?? host).replace(/^(?:\w+:)?\/\//, "");
  const basePath = (asString(document.basePath) ?? "").replace(/^\/*/, "/");
  const definitions = Object.entries(asObject(document.securityDefinitions)).slice(0, MAX_ITEMS);
  const schemesByName = definitions.map(([name, one]) => [name, toSecurityScheme(asObject(one))]);
  return {
    ...document,
    servers: [{ url: `${scheme}://${authority}${basePath}` }],
    components: { securitySchemes: Object.fromEntries(schemesByName) as JsonObject },
  };
}

function toSecurityScheme(definition: JsonObject): JsonObject {
  const { type, flow } = definition;
  if (type === "basic") return { ...definition, type: "http", scheme: "basic" };
  return flow === "accessCode" ? { ...definition, flows: { authorizationCode: definition } } : definition;
}

/**
 * Reads the absolute URLs of the servers, those for trials last. They are relative to the document's URL, and the
 * default is its root (OpenAPI 3.1, section 4.8.5). Omits servers that others can't reach. If no server can be called,
 * returns the variables without a value of the first one that has any.
 */
function readServers(document: JsonObject, documentUrl: string, given: VariableValues) {
  const written = asObjectArray(asArray(document.servers).slice(0, MAX_ITEMS));
  const servers = new Map<string, string | undefined>();
  const refused: string[] = [];
  const open: { template: string; variables: UrlVariable[] }[] = [];
  let used: UrlVariable[] = [];
  for (const server of written.length > 0 ? written : [{ url: "/" } as JsonObject]) {
    const text = asText(server.url) ?? "/";
    const template = text.length > MAX_URL_LENGTH ? "" : (toTemplate(text, documentUrl) ?? "");
    const listed = listVariables(template, asObject(server.variables));
    const { url, variables } = fillVariables(template, listed, given);
    const address = url?.href ?? toSample(template);
    const isUsable = address !== "" && address.length <= MAX_URL_LENGTH && !findAddressProblem(address);
    if (!isUsable || findAddressProblem(toSample(text))) refused.push(text);
    else if (isUnreachable(address, documentUrl)) refused.push(address);
    else if (!url) open.push({ template: printable(template), variables });
    else {
      servers.set(variables.length > 0 ? address : template, asString(server.description));
      if (used.length === 0) used = variables;
    }
  }
  const sorted = [...servers].toSorted(
    ([one, first], [other, second]) => rank(one, first) - rank(other, second),
  );
  const all = sorted.length;
  const addresses = sorted.map(([endpoint]) => endpoint);
  const notes = [
    ...noteAddresses({ document: "The document", service: "The API", url: documentUrl }, addresses, refused),
    ...(open.length > 0
      ? [`These addresses need values for their variables: ${formatFirst(open.map((one) => one.template))}.`]
      : []),
    ...(all > MAX_SERVERS
      ? [`${all - MAX_SERVERS} of ${all} servers were left out. Choose the main ones.`]
      : []),
  ];
  const base = endpointName("api:rest");
  return {
    servers: addresses.slice(0, MAX_SERVERS).map((endpoint, index) => ({
      name: index === 0 ? base : `${base} ${index + 1}`,
      endpoint,
    })),
    variables: all === 0 ? (open[0]?.variables ?? []) : used,
    notes,
  };
}

const rank = (url: string, description: string | undefined): number =>
  Number(isTrial(new URL(url).hostname, description));

/** Maximum number of values in a document. An alias counts as a copy. */
const MAX_VALUES = 1_000_000;

/** Maximum number of values in all YAML documents of one discovery, which take 0.7 seconds of CPU time to parse. */
const MAX_YAML_VALUES = 400_000;

/** Last resort against YAML that the parser takes long for, in milliseconds. 8 MiB need 0.8 seconds of CPU time. */
const MAX_YAML_TIME = 15_000;

/** Number of values that may still be read. */
export type ValueBudget = { left: number };

export const createValueBudget = (): ValueBudget => ({ left: MAX_YAML_VALUES });

/**
 * Takes the values of a JSON or YAML text from the budget, before a parser spends seconds on millions of them.
 * @throws {ImportError} `openapi-invalid` if the budget is exceeded.
 */
export function takeValues(text: string, mark: RegExp, url: string, budget = { left: MAX_VALUES }): void {
  const limit = `At most ${budget.left.toLocaleString("en")} are read.`;
  budget.left -= text.split(mark, MAX_VALUES + 2).length - 1;
  if (budget.left >= 0) return;
  throw new ImportError("openapi-invalid", `${url} has too many values. ${limit}`);
}

/** Returns true if a text may be an OpenAPI or Swagger document in YAML. */
export const isOpenApiYaml = (text: string): boolean =>
  /^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]+(?:[!&]\S+[ \t]+)?["']?\d/m.test(text);

/**
 * Parses an OpenAPI document in YAML. Numbers become texts, because the version `1.10` is not the number 1.1.
 * @throws {ImportError} `openapi-invalid`.
 */
export async function parseOpenApiYaml(
  text: string,
  url: string,
  budget = createValueBudget(),
  timeout = MAX_YAML_TIME,
): Promise<JsonObject> {
  takeValues(text, /[\n,[{]|[:?-] /, url, budget);
  const { boolCoreTag, FAILSAFE_SCHEMA, load, mergeTag, nullCoreTag } = await import("js-yaml");
  const schema = FAILSAFE_SCHEMA.withTags(nullCoreTag, boolCoreTag, mergeTag);
  // `json` tolerates duplicate keys.
  const parse = () => assertValueCount(load(text, { schema, json: true }) as JsonValue);
  try {
    // A context of its own can end the parser.
    const value: unknown = runInNewContext("parse()", { parse }, { timeout });
    if (isJsonObject(value)) return value as JsonObject;
    throw new Error("it is not an object");
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    const isSlow = code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    const why = isSlow ? "it takes too long to parse. Serve it as JSON." : String(message).split("\n", 1)[0];
    const reason = `${url} can't be read as an OpenAPI document: ${printable(why ?? "", 200)}`;
    throw new ImportError("openapi-invalid", reason, { cause: error });
  }
}

/** Returns the value, whose aliases are references. Throws if a copy would be too large or endless. */
function assertValueCount(value: JsonValue): JsonValue {
  const open: JsonValue[] = [value];
  let count = 1;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    count += inner.length;
    if (count > MAX_VALUES) throw new Error(`it has more than ${MAX_VALUES.toLocaleString("en")} values`);
    for (const one of inner) open.push(one);
  }
  return value;
}
