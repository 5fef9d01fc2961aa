import type { JsonValue } from "@app-registry/sdk";
import type { Discovery } from "./finding.ts";

const labels: Record<string, string> = {
  name: "the name",
  description: "the description",
  publisher: "the publisher",
  external_url: "the external URL",
  supportUrl: "the support URL",
  image: "the icon",
  screenshotUrls: "the screenshots",
  platforms: "the platforms",
  endpoints: "the endpoints",
  traits: "the traits",
  payments: "the payments",
  packages: "the packages",
};

const entryLabels: Record<string, string> = {
  name: "the endpoint's name",
  endpoint: "the endpoint",
  schemaUrl: "the schema URL",
  interfaceVersions: "the interface versions",
  transport: "the transport",
  authentication: "the authentication",
  instructions: "the instructions",
  supportedInterfaces: "the supported interfaces",
  capabilities: "the capabilities",
};

/** Singular nouns for the lists of an endpoint, whose labels are counts. */
const counted: Record<string, string> = {
  tools: "tool",
  resources: "resource",
  resourceTemplates: "resource template",
  prompts: "prompt",
  skills: "skill",
};

/** Formats the length of a list with a noun: `1 tool`, `2 tools`. */
export const formatCount = (list: readonly unknown[], one: string): string =>
  `${list.length} ${one}${list.length === 1 ? "" : "s"}`;

/** Joins the first items of a list, and says how many more there are. */
export const formatFirst = (items: readonly string[], most = 3): string =>
  items.slice(0, most).join(", ") + (items.length > most ? ` and ${items.length - most} more` : "");

/** Returns the label of a metadata value, for a sentence that lists the values that were filled in. */
export function getFieldLabel(path: readonly (string | number)[], value: JsonValue): string {
  const key = String(path.at(-1));
  if (path[0] === "traits" && path.length === 2) return `the trait ${String(value)}`;
  if (path[0] === "platforms" && path.length > 1) return `the platform ${String(path[1])}`;
  if (path[0] === "endpoints" && path.length > 1) {
    const one = Object.hasOwn(counted, key) ? counted[key] : undefined;
    if (one !== undefined && Array.isArray(value)) return formatCount(value, one);
    return named(entryLabels, key);
  }
  return named(labels, key);
}

const named = (known: Record<string, string>, key: string): string =>
  (Object.hasOwn(known, key) ? known[key] : undefined) ?? `the field ${key.slice(0, 60)}`;

/** Description of the attempt at the entered address itself. */
export const ADDRESS_LOOK = "a document or a page";

/** Description of an attempt to read an MCP server. */
export const MCP_SERVER = "an MCP server";

/**
 * Returns why the entered address itself doesn't describe a service, or `undefined` if no reason is known.
 *
 * @example
 * const place = "https://example.com/";
 * const attempt = { place, lookedFor: "a page", outcome: "absent", reason: "This is a GraphQL schema." } as const;
 * getOwnReason({ input: place, looked: [attempt] }); // "This is a GraphQL schema."
 */
export function getOwnReason({ input, looked }: Pick<Discovery, "input" | "looked">): string | undefined {
  const own = looked.filter(({ place }) => place === input);
  const document = own.find(({ lookedFor }) => lookedFor === ADDRESS_LOOK) ?? own[0];
  // A server that refuses GET may still say why it refuses the request of an MCP client.
  const isPostOnly = document?.status === 405 || document?.status === 406;
  const server = own.find(({ lookedFor, outcome }) => lookedFor === MCP_SERVER && outcome === "failed");
  const { status, reason } = (isPostOnly ? server : undefined) ?? document ?? {};
  if (status === 421) return `${input} answers 421: the server refuses this host name.`;
  return status === undefined ? reason : `${input} answers ${status}.`;
}
