import { isVisible } from "@app-registry/sdk";
import fc from "fast-check";

const text = (maxLength = 60) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength })
    .filter((one) => one.trim() !== "" && isVisible(one));
const optional = { requiredKeys: [] };
const url = fc.constantFrom(
  "https://mcp.example/a",
  "https://mcp.example/{tenant}/mcp",
  "https://mcp.example/sse?a={b}&c=%7B#d",
  "http://localhost:3000/ü|^",
);
const input = {
  description: text(),
  value: text(),
  default: text(),
  isRequired: fc.boolean(),
  isSecret: fc.boolean(),
  format: fc.constantFrom("string", "filepath", "date"),
  choices: fc.array(text(), { maxLength: 3 }),
  unknown: text(),
};
const variables = fc.dictionary(
  fc.constantFrom("key", "a-b", "__proto__", "x y"),
  fc.record(input, optional),
  {
    maxKeys: 2,
  },
);
const named = fc.record({ ...input, name: text(), variables }, optional);
const argument = fc.record(
  {
    ...input,
    variables,
    type: fc.constantFrom("named", "positional", "other"),
    name: text(),
    valueHint: text(),
    isRepeated: fc.boolean(),
  },
  optional,
);

/** Entry of `packages`, valid for server.json or not. */
const aPackage = fc.record(
  {
    registryType: fc.constantFrom("npm", "pypi", "oci", "mcpb"),
    identifier: text(),
    version: fc.constantFrom("1.2.3", "latest", "^1.0.0"),
    registryBaseUrl: url,
    fileSha256: fc.constant("ab".repeat(32)),
    runtimeHint: fc.constantFrom("npx", "docker"),
    transport: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ type: "stdio" }) },
      fc.record({
        type: fc.constantFrom("sse", "streamable-http", "http"),
        url,
        headers: fc.array(named, { maxLength: 2 }),
      }),
    ),
    environmentVariables: fc.array(named, { maxLength: 2 }),
    packageArguments: fc.array(argument, { maxLength: 2 }),
    runtimeArguments: fc.array(argument, { maxLength: 2 }),
  },
  { requiredKeys: ["registryType", "identifier"] },
);

/** Entry of `packages` that server.json allows. */
const validPackage = fc.record({
  registryType: fc.constantFrom("npm", "oci"),
  identifier: text(),
  transport: fc.constant({ type: "stdio" }),
  environmentVariables: fc.array(
    fc.record({ name: text(), description: text(), isSecret: fc.boolean() }, { requiredKeys: ["name"] }),
    { maxLength: 2 },
  ),
});

const authentication = fc.record(
  {
    apiKey: fc.record(
      {
        in: fc.constantFrom("header", "query", "cookie"),
        name: fc.constantFrom("X-Key", "key", "a b", "{x}"),
        description: text(),
      },
      { requiredKeys: ["in", "name"] },
    ),
    bearer: fc.record({ description: text() }, optional),
  },
  optional,
);

/** Metadata of an MCP server, as a publisher may register it. */
export const arbitraryServer = fc.record(
  {
    name: text(150),
    description: text(150),
    publisher: text(),
    image: fc.constantFrom("https://mcp.example/icon.png", "https://mcp.example/ü|{}.png", "ipfs://x/y"),
    traits: fc.constant(["api:mcp"]),
    endpoints: fc.record({ endpoint: url, authentication }).map((one) => [{ name: "MCP", ...one }]),
    packages: fc.array(fc.oneof(aPackage, validPackage), { maxLength: 3 }),
    deprecation: text(600),
    replacedBy: fc.constantFrom("did:web:next.example", "next.example"),
  },
  { requiredKeys: ["name", "description", "publisher", "traits", "endpoints"] },
);
