import { MCP_ENDPOINT_NAME } from "./endpointSchema.ts";
import { anyCase } from "./fieldDescription.ts";

/** Rule for the address of an endpoint, or only of those with this name. The pattern matches what it refuses. */
type AddressRule = { code: string; pattern: string; message: string; entryName?: string };

const words = (list: string) =>
  list
    .split(" ")
    .map((word) => anyCase(word))
    .join("|");

/** Source repositories, but not their raw files and the APIs of their hosts. */
const repository = `(?:${words("github.com gitlab.com codeberg.org bitbucket.org")})/(?!api/|[^/]+/[^/]+/(?:-/)?raw/)[^/?#]+/[^/?#]`;

const packagePage = `(?:${words("npmjs.com/package pypi.org/project crates.io/crates rubygems.org/gems")})/[^/?#]`;

const ends = "(?:[?#]|$)";

const text = `\\.(?:${words("yaml yml txt md html htm xml")})${ends}`;

const otherCard = `/(?:${words("openapi swagger mcp server package agent-registration")})[^/?#]*\\.json${ends}`;

const hint = "use the https URL of its agent card, for example https://<domain>/.well-known/agent-card.json";

/** Addresses that no running service has. Their patterns have no flags, because the JSON Schema contains them. */
const rules: readonly AddressRule[] = [
  {
    code: "placeholder",
    pattern: `[{}<>]|%7[BbDd]|YOUR_|^(?:https?://)?[A-Z\\d]+(?:_[A-Z\\d]+)+(?:[/:]|$)|//(?:[\\w-]+\\.)*(?:${words("your")})[-_](?:${words("agent api app company domain host server site")})\\b`,
    message: "This address has a placeholder. Replace it with a value.",
  },
  {
    code: "not-a-service",
    pattern: `^[A-Za-z]+:[/\\\\]*(?:${words("www")}\\.)?(?:${repository}|${packagePage})`,
    message:
      "This is the page of a package or a source repository. Use the address at which the service runs.",
  },
  {
    code: "not-an-mcp-server",
    pattern: `\\.${words("json")}${ends}|${text}`,
    message: "This is a document. Use the address at which the MCP server runs.",
    entryName: MCP_ENDPOINT_NAME,
  },
  {
    code: "not-an-agent-card",
    pattern: `^(?:${words("ws grpc")})[sS]?:|${otherCard}|${text}`,
    message: `For an A2A agent, ${hint}`,
    entryName: "A2A",
  },
];

/**
 * Finds the reason why an endpoint's URL can't be that of a running service. An entry named `MCP` has the URL of a
 * server, and one named `A2A` that of an agent card. Returns `undefined` if the URL may be one.
 *
 * @example
 * findAddressProblem("https://www.npmjs.com/package/a")?.code; // "not-a-service"
 */
export const findAddressProblem = (
  url: string,
  entryName = "",
): Pick<AddressRule, "code" | "message"> | undefined =>
  rules.find(
    (rule) =>
      (rule.entryName === undefined || rule.entryName === entryName.toUpperCase()) &&
      new RegExp(rule.pattern).test(url),
  );

/** Returns the rules as a JSON Schema of an endpoint, with its URL in this field. */
export const serviceAddressRules = (field: "endpoint" | "url"): { allOf: object[] } => ({
  allOf: rules.flatMap<object>(({ pattern, entryName }) => {
    const rule = { properties: { [field]: { not: { type: "string", pattern } } } };
    if (entryName === undefined) return [rule];
    // The earlier layout has no names.
    if (field === "url") return [];
    const name = { not: { type: "string", pattern: `^(?:${words(entryName.toLowerCase())})$` } };
    return [{ anyOf: [{ properties: { name } }, rule] }];
  }),
});
