import { expect, it } from "vitest";
import { parseCredential } from "./credential.ts";

const unplaced = "The record doesn't say where to send the credential.";

it.each<[string, object, needs: string[], header?: string]>([
  [
    "OAuth 2",
    { oauth2: { authorizationUrl: "https://login.example/a", scopes: ["read"] } },
    ["Requires an OAuth 2 access token. You sign in at login.example. Requested scopes: read."],
    "Authorization: Bearer YOUR_ACCESS_TOKEN",
  ],
  [
    "a bearer token before an API key without a place",
    { apiKey: { in: 5, name: "k" }, bearer: { format: "JWT" } },
    ["Requires a bearer token.", "Requires an API key."],
    "Authorization: Bearer YOUR_TOKEN",
  ],
  [
    "an API key in a header, which is also listed as a method",
    { apiKey: { in: "header", name: "X-API-Key" }, methods: ["apiKey"] },
    ["Requires an API key in the header X-API-Key."],
    "X-API-Key: YOUR_API_KEY",
  ],
  [
    "an API key in a cookie",
    { apiKey: { in: "cookie", name: "key" } },
    ["Requires an API key in the cookie key."],
    "Cookie: key=YOUR_API_KEY",
  ],
  [
    "an API key in a query",
    { apiKey: { in: "query", name: "key" } },
    ["Requires an API key in the query parameter key."],
  ],
  [
    "an API key in an unknown place",
    { apiKey: { in: "constructor", name: "k" } },
    ["Requires an API key in the constructor k."],
  ],
  [
    "an account",
    { blockchain: { chainId: 1, requiredNFT: "0xabc" } },
    ["Requires an account on chain 1 that holds 0xabc. The record doesn't say how the account signs in."],
  ],
  ["a method without a standard header", { methods: ["x-api-key"] }, [`Requires x-api-key. ${unplaced}`]],
  ["a method named like a member", { methods: ["constructor"] }, [`Requires constructor. ${unplaced}`]],
  ["no method", { methods: ["none"] }, []],
])("parseCredential describes %s", (_, authentication, needs, header) => {
  const credential = parseCredential(authentication);
  expect(credential.needs).toEqual(needs);
  expect(credential.header && `${credential.header.name}: ${credential.header.value}`).toBe(header);
  expect(credential.signsIn).toBe("oauth2" in authentication);
});
