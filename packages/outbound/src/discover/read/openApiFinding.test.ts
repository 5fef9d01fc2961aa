import type { JsonObject } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { openApiFinding, parseOpenApiYaml } from "./openApiFinding.ts";

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
      { name: "REST: Europe", endpoint: "https://eu.example.com/" },
      { name: "REST 3", endpoint: "https://test.example.com/" },
    ]);
    expect(listEndpoints({ servers })).toHaveLength(3);
  });

  it("returns the authentication", () => {
    const securitySchemes = {
      login: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://a.example/",
            tokenUrl: "https://t.example/",
            scopes: {},
          },
        },
      },
      key: { type: "apiKey", in: "header", name: "x-key" },
      basic: { type: "http", scheme: "Basic" },
    };
    expect(listEndpoints({ components: { securitySchemes } })).toMatchObject([
      {
        authentication: {
          oauth2: { authorizationUrl: "https://a.example/", tokenUrl: "https://t.example/" },
          apiKey: { in: "header", name: "x-key" },
          methods: ["basic"],
        },
      },
    ]);
  });

  it("reads YAML without parsing its paths and schemas in any layout", async () => {
    const text = [
      "# A comment",
      "openapi: 3.0.3",
      'paths: {"/now": {get: {}}}',
      '"info":',
      "  title: Weather",
      "  description: |",
      "    Forecasts.",
      "    paths: not a key of the document",
      "servers:",
      "- url: https://api.example.com",
      "components:",
      "  schemas:",
      "    securitySchemes: [broken",
      "  securitySchemes:",
      "    key:",
      "      type: apiKey",
      "  parameters: *nothing",
      "webhooks:",
      "  : : :",
    ].join("\r\n");
    const { paths, ...read } = await parseOpenApiYaml(text, URL);
    expect(read).toEqual({
      openapi: "3.0.3",
      info: { title: "Weather", description: "Forecasts.\npaths: not a key of the document\n" },
      servers: [{ url: "https://api.example.com" }],
      components: { securitySchemes: { key: { type: "apiKey" } } },
    });
  });

  it.each([
    ["Swagger 2", { swagger: "2.0" }],
    ["another version", { openapi: "4.0.0" }],
  ])("rejects a document of %s", (_, fields) => {
    expect(() => openApiFinding({ ...fields } as JsonObject, URL)).toThrow(
      /is not an OpenAPI 3 document. Convert it first/,
    );
  });
});
