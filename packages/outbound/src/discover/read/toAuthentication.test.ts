import { metadataSchema } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";
import { toAuthentication } from "./toAuthentication.ts";

const scopes = { read: "Read" };
const flow = { authorizationUrl: "https://a.example/authorize", tokenUrl: "https://a.example/token", scopes };
const description = "Sign up at https://a.example/v2/keys.";

describe("toAuthentication", () => {
  it.each([
    ["OpenAPI", { type: "apiKey", in: "query", name: "key", description }],
    ["A2A 1.0", { apiKeySecurityScheme: { location: "query", name: "key", description } }],
  ])("converts an API key of %s", (_, scheme) => {
    expect(toAuthentication({ scheme })).toEqual({ apiKey: { in: "query", name: "key", description } });
  });

  it.each([
    ["OpenAPI", { type: "http", scheme: "Bearer", bearerFormat: "JWT", description }],
    ["A2A 1.0", { httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "JWT", description } }],
  ])("converts a bearer token of %s", (_, scheme) => {
    expect(toAuthentication({ scheme })).toEqual({ bearer: { format: "JWT", description } });
  });

  it("converts an empty bearer scheme to an empty object", () => {
    expect(toAuthentication({ a: { type: "http", scheme: "bearer" } })).toEqual({ bearer: {} });
  });

  it("converts OAuth 2 and OpenID Connect, and uses the first of several API keys", () => {
    const schemes = {
      app: { type: "oauth2", flows: { clientCredentials: { tokenUrl: flow.tokenUrl, scopes } } },
      user: { type: "oauth2", flows: { authorizationCode: flow } },
      login: {
        type: "openIdConnect",
        openIdConnectUrl: "https://a.example/.well-known/openid-configuration",
      },
      first: { type: "apiKey", in: "header", name: "x-key" },
      second: { type: "apiKey", in: "query", name: "key" },
    };
    expect(toAuthentication(schemes)).toEqual({
      oauth2: { ...flow, scopes: ["read"] },
      apiKey: { in: "header", name: "x-key" },
      methods: ["openIdConnect"],
      issuer: "https://a.example",
    });
  });

  it("names schemes that have no member of their own", () => {
    const schemes = {
      basic: { type: "http", scheme: "Basic" },
      tls: { mtlsSecurityScheme: {} },
      app: { type: "oauth2", flows: { clientCredentials: { tokenUrl: flow.tokenUrl, scopes } } },
      key: { type: "apiKey" },
    };
    expect(toAuthentication(schemes)).toEqual({ methods: ["basic", "mutualTLS", "oauth2", "apiKey"] });
  });

  it.each([{ type: "none" }, { type: "noAuth" }, { type: "http", scheme: "None" }])(
    "requires no method for the scheme %j",
    (open) => expect(toAuthentication({ open })).toBeUndefined(),
  );

  // @threat services: An imported document with secrets, thousands of places or unusable values
  it.each([
    "Use sk_test_4eC39HqLyjWDarjtT1zdp7dc.",
    "Send eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "Demo: 3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "Password: hunter2hunter2",
    "Authorization: Basic dXNlcjpwYXNzMQ==",
  ])("omits the description %j, which may contain a secret", (text) => {
    const key = { type: "apiKey", in: "header", name: "x-key", description: text };
    const token = { type: "http", scheme: "bearer", bearerFormat: text, description: text };
    expect(toAuthentication({ key, token })).toEqual({ apiKey: { in: "header", name: "x-key" }, bearer: {} });
    expect(toAuthentication({ key: { ...key, name: text } })).toEqual({ methods: ["apiKey"] });
  });

  it("copies no value that a scheme does not define", () => {
    const more = { default: "sk-1", example: "sk-2", "x-value": "sk-3", value: "sk-4" };
    const key = { type: "apiKey", in: "header", name: "x-key", ...more };
    const token = { type: "http", scheme: "bearer", ...more };
    expect(toAuthentication({ key, token })).toEqual({ apiKey: { in: "header", name: "x-key" }, bearer: {} });
  });

  it.each(["key:".repeat(250_000), "a".repeat(1_000_000), " ".repeat(1_000_000), "key1 ".repeat(200_000)])(
    "reads a long description in linear time (%#)",
    (text) => {
      expect(toAuthentication({ a: { type: "http", scheme: "bearer", description: text } })).toHaveProperty(
        "bearer",
      );
    },
  );

  it.each([
    ["a place outside the request", { type: "apiKey", in: "body", name: "k" }],
    ["a name of two lines", { type: "apiKey", in: "header", name: "k\nHost" }],
    ["a name of the wrong type", { type: "apiKey", in: "header", name: { a: 1 } }],
    ["names of Object.prototype", { type: "constructor", in: "header", name: "k" }],
  ])("returns only what the schema accepts, or can repair, for %s", (_, scheme) => {
    const authentication = toAuthentication({ __proto__: scheme, constructor: scheme });
    const issues =
      metadataSchema.safeParse({ endpoints: [{ name: "A", authentication }] }).error?.issues ?? [];
    expect(issues.filter(({ path }) => path.length > 1 && path[3] !== "apiKey")).toEqual([]);
    expect(({} as { in?: string }).in).toBeUndefined();
  });
});
