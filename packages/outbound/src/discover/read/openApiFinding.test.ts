import type { JsonObject } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { isOpenApiYaml, openApiFinding, parseOpenApiYaml } from "./openApiFinding.ts";

const URL = "https://example.com/docs/openapi.json";
const document = (more: object = {}) =>
  ({ openapi: "3.1.0", info: { title: "Weather", version: "v2.4" }, ...more }) as unknown as JsonObject;
const listEndpoints = (more: object) => openApiFinding(document(more), URL).metadata.endpoints;

describe("openApiFinding", () => {
  it("returns texts, traits, operations and version", () => {
    const contact = { name: "Example Ltd", email: "help@example.com" };
    const finding = openApiFinding(
      document({
        info: { title: "Weather", version: "v2.4", summary: "Forecasts.", contact },
        externalDocs: { url: "https://docs.example.com/" },
        tags: [{ name: "Forecast" }, { name: "Two words" }],
        paths: { "/now": { get: {}, post: {}, parameters: [] }, "/later": { get: {} } },
      }),
      URL,
    );
    expect(finding).toMatchObject({
      version: "2.4.0",
      offers: ["3 operations"],
      metadata: {
        name: "Weather",
        description: "Forecasts.",
        publisher: "Example Ltd",
        external_url: "https://docs.example.com/",
        supportUrl: "mailto:help@example.com",
        traits: ["api:rest", "forecast"],
        endpoints: [
          { name: "REST", endpoint: "https://example.com/", schemaUrl: URL, interfaceVersions: ["v2.4"] },
        ],
      },
    });
  });

  it("returns the servers with default variables and omits loopback servers", () => {
    const servers = [
      { url: "../v2" },
      {
        url: "https://{region}.example.com/",
        variables: { region: { default: "eu" } },
        description: "Europe",
      },
      { url: "http://localhost:8080" },
      { url: "https://test.example.com", description: "Europe" },
      { url: "https://{__proto__}.example.com", variables: { other: { default: "a" } } },
    ];
    expect(listEndpoints({ servers })).toMatchObject([
      { name: "REST", endpoint: "https://example.com/v2" },
      { name: "REST 2", endpoint: "https://eu.example.com/" },
      { name: "REST 3", endpoint: "https://test.example.com/" },
    ]);
    expect(listEndpoints({ servers })).toHaveLength(3);
  });

  it("leaves out the security schemes that no requirement names", () => {
    const securitySchemes = {
      token: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "x-key" },
      basic: { type: "http", scheme: "basic" },
    };
    const read = (more: object) => listEndpoints({ components: { securitySchemes }, ...more });
    const paths = { "/now": { get: { security: [{}, { key: [] }] } } };
    const key = { in: "header", name: "x-key" };
    expect(read({ security: [{ token: [] }] })).toMatchObject([{ authentication: { bearer: {} } }]);
    expect(read({ paths, security: [{ token: [] }] })).toEqual([
      expect.objectContaining({ authentication: { apiKey: key, bearer: {} } }),
    ]);
    const all = [
      expect.objectContaining({ authentication: { apiKey: key, bearer: {}, methods: ["basic"] } }),
    ];
    for (const security of [undefined, [], [{}], [{ other: [] }], "token", [null, 7]])
      expect(read({ security })).toEqual(all);
  });

  const listNotes = (more: object) => openApiFinding(document(more), URL).notes;

  it("notes operations that require payment", () => {
    const paths = { "/a": { get: { responses: { 402: {} } } }, "/b": { post: { responses: { 200: {} } } } };
    expect(listNotes({ paths })).toEqual([
      "Some operations may require payment (HTTP 402), but their price couldn't be read. Add it under Payments.",
    ]);
  });

  it.each(["2024.10", "1.0.0-beta.2"])("explains that %s is not a version", (version) => {
    const finding = openApiFinding(document({ info: { title: "Weather", version } }), URL);
    expect(finding.version).toBeUndefined();
    expect(finding.notes).toEqual([
      `The document's version, "${version}", isn't major.minor.patch with numbers from 0 to 255. ` +
        "Choose the version to publish yourself.",
    ]);
    expect(finding.metadata.endpoints).toMatchObject([{ interfaceVersions: [version] }]);
  });

  it("omits servers whose variables make a long URL", () => {
    const variables = { a: { default: "a".repeat(2_000) }, port: { default: 8443 } };
    const servers = [
      { url: `https://${"{a}".repeat(600)}.example.com`, variables },
      { url: "https://a.example:{port}", variables },
    ];
    expect(listEndpoints({ servers })).toMatchObject([{ endpoint: "https://a.example:8443/" }]);
  });

  it("reads only the first 100 servers, tags and security schemes", () => {
    const servers = [...Array(100).fill({ url: "http://localhost/" }), { url: "https://late.example" }];
    const tags = [...Array(100).fill({ name: "!" }), { name: "late" }];
    const schemes = Object.fromEntries(
      Array.from({ length: 101 }, (_, id) => [`s${id}`, { type: `t${id}` }]),
    );
    expect(listEndpoints({ servers })).toEqual([]);
    const { metadata } = openApiFinding(document({ tags, components: { securitySchemes: schemes } }), URL);
    expect(metadata.traits).toEqual(["api:rest"]);
    expect(JSON.stringify(metadata)).not.toContain("t100");
  });

  it.each([
    ["another version", { openapi: "4.0.0" }],
    ["Swagger 1.2", { swagger: "1.2" }],
    ["no version", { openapi: {} }],
  ])("rejects a document of %s", (_, fields) => {
    expect(() => openApiFinding({ ...fields } as JsonObject, URL)).toThrow(
      "isn't OpenAPI 3 or Swagger 2.0. Convert it to OpenAPI 3.",
    );
  });
});

describe("openApiFinding, of Swagger 2.0", () => {
  const swagger = (more: object) =>
    ({ swagger: "2.0", info: { title: "Old", version: "1.2.0" }, ...more }) as unknown as JsonObject;
  const listSwaggerEndpoints = (more: object) => openApiFinding(swagger(more), URL).metadata.endpoints;

  it.each([
    [
      "a host, base path and schemes",
      { host: "api.example.com", basePath: "/v1", schemes: ["http", "https"] },
      "https://api.example.com/v1",
    ],
    ["http only", { host: "api.example.com", schemes: ["ws", "http"] }, "http://api.example.com/"],
    ["no host", { basePath: "/v1" }, "https://example.com/v1"],
    ["no scheme", { host: "api.example.com:8443", schemes: [] }, "https://api.example.com:8443/"],
    [
      "a base path without a slash",
      { host: "api.example.com", basePath: "v1" },
      "https://api.example.com/v1",
    ],
    ["a host that includes a scheme", { host: "https://api.example.com" }, "https://api.example.com/"],
    ["values of other types", { host: 1, basePath: {}, schemes: "https" }, "https://example.com/"],
  ])("returns the server from %s", (_, fields, endpoint) => {
    expect(listSwaggerEndpoints(fields)).toMatchObject([{ endpoint }]);
  });

  it("returns the authentication", () => {
    const urls = { authorizationUrl: "https://a.example/", tokenUrl: "https://t.example/" };
    const login = { type: "oauth2", flow: "accessCode", ...urls, scopes: { read: "Read." } };
    const key = { type: "apiKey", in: "header", name: "x-key" };
    const securityDefinitions = { login, key, basic: { type: "basic" }, __proto__: null };
    const oauth2 = { ...urls, scopes: ["read"] };
    expect(listSwaggerEndpoints({ securityDefinitions })).toMatchObject([
      { authentication: { oauth2, apiKey: { in: "header", name: "x-key" }, methods: ["basic"] } },
    ]);
  });

  it("ignores references, even cyclic ones", () => {
    const definitions = { a: { $ref: "#/definitions/b" }, b: { $ref: "#/definitions/a" } };
    const paths = { "/a": { $ref: "#/paths/~1a", get: { $ref: "https://other.example/evil.json" } } };
    expect(openApiFinding(swagger({ definitions, paths }), URL).offers).toEqual(["1 operation"]);
  });
});

describe("parseOpenApiYaml", () => {
  const info = "info:\n  title: Pets\n  version: 2.10\n";
  const cases: Record<string, string> = {
    "unquoted versions": `openapi: 3.1\n${info}`,
    "anchors and merge keys": `x-info: &info\n  title: Pets\nopenapi: &v 3.1\ninfo:\n  <<: *info\n  version: 2.10\n`,
  };
  it.each(Object.entries(cases))("reads a document with %s", async (_, text) => {
    expect(isOpenApiYaml(text)).toBe(true);
    const read = await parseOpenApiYaml(text, URL);
    expect(read).toMatchObject({ openapi: "3.1", info: { title: "Pets", version: "2.10" } });
    expect(openApiFinding(read, URL)).toMatchObject({ version: "2.10.0", metadata: { name: "Pets" } });
  });

  it("reads a key named __proto__ as any other key", async () => {
    const read = await parseOpenApiYaml("openapi: 3.1\n__proto__:\n  info: {title: Evil}\n  evil: 1\n", URL);
    expect(Object.keys(read)).toEqual(["openapi", "__proto__"]);
    expect(read.info).toBeUndefined();
    expect(({} as JsonObject).evil).toBeUndefined();
  });

  const bomb = Array.from(
    { length: 9 },
    (_, level) => `  l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(10)}]\n`,
  );
  it.each([
    [
      "aliases that multiply",
      `openapi: 3.1\ninfo:\n  l0: &l0 [a]\n${bomb.join("")}`,
      /more than 1,000,000 values/,
    ],
    [
      "an alias of itself",
      `openapi: 3.1\ninfo: &a [${"*a,".repeat(100_000)}]\n`,
      /more than 1,000,000 values/,
    ],
    [
      "merge keys that multiply",
      `openapi: 3.1\nb: &b {${Array.from({ length: 2_000 }, (_, key) => `k${key}: 1`)}}\nx:\n${"- <<: *b\n".repeat(1_000)}`,
      /merge keys exceeded/,
    ],
    ["deep nesting", `openapi: 3.1\ninfo: ${"[".repeat(100_000)}`, /nesting exceeded/],
    ["a syntax error", "openapi: 3.1\ninfo: [\u001b\n", /can't be read as an OpenAPI document/],
  ])("rejects %s", async (_, text, reason) => {
    const error = await parseOpenApiYaml(text, URL).catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      name: "ImportError",
      code: "openapi-invalid",
      shortMessage: expect.stringMatching(reason),
    });
    expect((error as Error).message).not.toContain("\u001b");
  });

  const slow = `openapi: 3.1\nx:\n${"- - - - - - - - - -\n".repeat(30_000)}`;

  it("rejects a document with more values than are left for its host", async () => {
    const budget = { left: 400_000 };
    await expect(parseOpenApiYaml(slow, URL, budget)).resolves.toMatchObject({ openapi: "3.1" });
    await expect(parseOpenApiYaml(slow, URL, budget)).rejects.toThrow(/has too many values/);
    await expect(parseOpenApiYaml(slow.repeat(2), URL)).rejects.toThrow(/At most 400,000 are read/);
  });

  it("ends a parse that takes too long", async () => {
    const parsed = parseOpenApiYaml(slow, URL, undefined, 20);
    await expect(parsed).rejects.toThrow(/too long to parse. Serve it as JSON/);
  });
});

describe("openApiFinding, with servers that can't be called", () => {
  const listNotes = (servers: object[]) => openApiFinding(document({ servers }), URL).notes;

  it.each([
    "http://10.0.0.1/v1",
    "http://api.internal/v1",
    "API_BASE_URL",
    "https://YOUR_HOST/v1",
    "/{{base}}",
  ])("omits %s, and names it", (url) => {
    expect(listEndpoints({ servers: [{ url }] })).toEqual([]);
    expect(listNotes([{ url }])).toEqual([
      `The document names "${url}", which isn't the public address of a running service. Enter its own address.`,
    ]);
  });

  it.each([["YOUR_TENANT"], ["<tenant>"], [undefined]])(
    "asks for a variable with the default %s",
    (initial) => {
      const variables = { tenant: { default: initial, description: "Name of your tenant." } };
      const written = document({ servers: [{ url: "https://{tenant}.example.com/v1", variables }] });
      const finding = openApiFinding(written, URL);
      expect(finding.metadata.endpoints).toEqual([]);
      expect(finding.variables).toEqual([{ name: "tenant", description: "Name of your tenant." }]);
      expect(finding.notes).toEqual([
        "These addresses need values for their variables: https://{tenant}.example.com/v1.",
      ]);
      const { metadata, ...filled } = openApiFinding(written, URL, { tenant: "acme" });
      expect(metadata.endpoints).toMatchObject([{ endpoint: "https://acme.example.com/v1" }]);
      expect(filled.variables).toMatchObject([{ name: "tenant", value: "acme" }]);
      expect(openApiFinding(written, URL, { tenant: "a b" }).variables).toEqual(finding.variables);
    },
  );

  it("doesn't use documentation on the author's computer as the website", () => {
    const externalDocs = { url: "http://localhost:3000/openapi.json" };
    expect(openApiFinding(document({ externalDocs }), URL).metadata).not.toHaveProperty("external_url");
  });
});

describe("openApiFinding, with servers for trials", () => {
  it("says how many servers were left out", () => {
    const servers = Array.from({ length: 23 }, (_, index) => ({ url: `https://s${index}.example.com` }));
    const { notes, metadata } = openApiFinding(document({ servers }), URL);
    expect(metadata.endpoints).toHaveLength(5);
    expect(notes).toContain("18 of 23 servers were left out. Choose the main ones.");
  });

  it("reads the host and the description, of which one may name production", () => {
    const servers = ["dev", "tst", "prd"].map((name) => ({
      url: `https://${name}.example.com`,
      description: `${name} environment`,
    }));
    const main = (list: object[]) =>
      (openApiFinding(document({ servers: list }), URL).metadata.endpoints as { endpoint: string }[])[0]
        ?.endpoint;
    expect(main(servers)).toBe("https://prd.example.com/");
    const trial = { url: "https://try.example.com", description: "Sandbox (reset daily)" };
    expect(main([trial, { url: "https://api.example.com" }])).toBe("https://api.example.com/");
    expect(main([{ url: "https://sandbox-api.example.com/v1" }, { url: "https://api.example.com/v1" }])).toBe(
      "https://api.example.com/v1",
    );
  });
});
