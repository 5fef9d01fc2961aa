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
    expect(toAuthentication({ scheme })).toEqual({ apiKey: { in: "query", name: "key" } });
  });

  it.each([
    ["OpenAPI", { type: "http", scheme: "Bearer", bearerFormat: "JWT", description }],
    ["A2A 1.0", { httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "JWT", description } }],
  ])("converts a bearer token of %s", (_, scheme) => {
    expect(toAuthentication({ scheme })).toEqual({ bearer: { format: "JWT" } });
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
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "Password: hunter2hunter2",
    "a".repeat(1_000_000),
  ])("omits a text that may be a secret (%#)", (text) => {
    const key = { type: "apiKey", in: "header", name: "x-key", description: text };
    const token = { type: "http", scheme: "bearer", bearerFormat: text, description: text };
    expect(toAuthentication({ key, token })).toEqual({ apiKey: { in: "header", name: "x-key" }, bearer: {} });
    expect(toAuthentication({ key: { ...key, name: text } })).toEqual({ methods: ["apiKey"] });
  });

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
