import { AgentCard, generateAgentCardSignature } from "@a2a-js/sdk";
import { canonicalizeValue, type JsonObject } from "@app-registry/sdk";
import { serveFiles, serveHttp } from "@app-registry/test-kit/httpServer";
import { base64url, type CryptoKey, exportJWK, FlattenedSign, generateKeyPair, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { createGuardedFetch, type GuardedFetch } from "../../fetch/guardedFetch.ts";
import { discoverService } from "../discoverService.ts";
import { DiscoverySession } from "../discoverySession.ts";
import { checkCardSignatures } from "./cardSignatures.ts";
import { createValueBudget } from "./openApiFinding.ts";

const URL_OF_CARD = "https://agent.example.com/.well-known/agent-card.json";
const JKU = "https://keys.example.com/jwks.json";
const card = {
  name: "Planner",
  description: "Plans routes – à pied.",
  version: "1.2.0",
  supportedInterfaces: [
    { url: "https://agent.example.com/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: { streaming: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "plan", name: "Plan", description: "Plans a route.", tags: ["maps"] }],
} satisfies JsonObject;

let privateKey: CryptoKey;
let jwk: JWK;
beforeAll(async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  privateKey = pair.privateKey;
  jwk = { ...(await exportJWK(pair.publicKey)), kid: "key-1" };
});

const header = { alg: "ES256", typ: "JOSE", kid: "key-1", jku: JKU };

/** Signs a value and returns the card with the signature. */
async function sign(signed: JsonObject, protectedHeader: object = header): Promise<JsonObject> {
  const jws = await new FlattenedSign(new TextEncoder().encode(canonicalizeValue(signed)))
    .setProtectedHeader(protectedHeader as typeof header)
    .sign(privateKey);
  return { protected: jws.protected as string, signature: jws.signature };
}

/** Creates a signature with any header, which no library would sign. */
const forge = (protectedHeader: object, signature = "AA"): JsonObject => ({
  protected: base64url.encode(JSON.stringify(protectedHeader)),
  signature,
});

/** Checks a card with its keys at `JKU`, and lists the requested key sets. */
async function check(signed: JsonObject, keys: unknown = [jwk], finalUrl?: string) {
  const requested: string[] = [];
  const session = new DiscoverySession({} as GuardedFetch, 5_000);
  session.document = async (url) => {
    requested.push(url.href);
    return {
      text: JSON.stringify({ keys }),
      url: finalUrl ?? url.href,
      contentType: "application/json",
      budget: createValueBudget(),
    };
  };
  const notes = await checkCardSignatures(signed, URL_OF_CARD, session);
  return { notes, requested };
}

const VALID = `Signed by key "key-1" at ${JKU}: valid.`;

describe("checkCardSignatures", () => {
  it("verifies a signature with a key from the card's own site", async () => {
    const signed = { ...card, signatures: [await sign(card)] };
    expect(await check(signed)).toEqual({ notes: [VALID], requested: [JKU] });
  });

  it.each([
    ["without empty values", card],
    ["with empty lists", { ...card, skills: [], securityRequirements: [] }],
    [
      "with an extension that is not required",
      { ...card, capabilities: { extensions: [{ uri: "https://example.com/x", required: false }] } },
    ],
  ])("verifies a card %s that A2A's own library signed", async (_, written) => {
    const signer = generateAgentCardSignature(privateKey, header);
    const signed = AgentCard.toJSON(await signer(AgentCard.fromJSON(written))) as JsonObject;
    expect((await check({ ...written, signatures: signed.signatures ?? [] })).notes).toEqual([VALID]);
  });

  it("verifies a signature over the fields that remain without defaults, as section 8.4.1 describes", async () => {
    const served = {
      ...card,
      description: "",
      capabilities: { streaming: false, extensions: [] },
      skills: [],
      securitySchemes: {},
    };
    const { securitySchemes, ...rest } = served;
    const signature = await sign({ ...rest, capabilities: { streaming: false } });
    expect((await check({ ...served, signatures: [signature] })).notes).toEqual([VALID]);
  });

  it("verifies a signature over the card as served, with empty values", async () => {
    const served = { ...card, securityRequirements: [], provider: { organization: "" } };
    expect((await check({ ...served, signatures: [await sign(served)] })).notes).toEqual([VALID]);
  });

  it("puts a signature over other bytes first", async () => {
    const [good, other] = [await sign(card), await sign({ ...card, name: "Other" })];
    const { notes } = await check({ ...card, signatures: [good, other] });
    expect(notes).toEqual([
      `The signature doesn't match the card: it was changed after it was signed, or another key signed it.`,
      VALID,
    ]);
  });

  it.each([
    ["a changed skill", { skills: [{ ...card.skills[0], description: "Plans a heist." }] }],
    ["an added field", { pricing: "free" }],
    ["a changed default", { capabilities: { streaming: true } }],
  ])("rejects %s", async (_, change) => {
    const { notes } = await check({ ...card, ...change, signatures: [await sign(card)] });
    expect(notes).toEqual([expect.stringMatching(/^The signature doesn't match the card: it was changed/)]);
  });

  it.each(["none", "None", "HS256", "HS512", "", "constructor"])(
    "rejects the algorithm %j without reading a key",
    async (alg) => {
      const { notes, requested } = await check({ ...card, signatures: [forge({ ...header, alg }, "")] });
      expect(notes).toEqual([expect.stringMatching(/^The signature doesn't match the card: the algorithm/)]);
      expect(requested).toEqual([]);
    },
  );

  it("rejects an HMAC whose secret is the public key", async () => {
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const jws = await new FlattenedSign(new TextEncoder().encode(canonicalizeValue(card)))
      .setProtectedHeader({ ...header, alg: "HS256" })
      .sign(secret);
    const keys = [jwk, { kty: "oct", k: base64url.encode(secret), kid: "key-1", alg: "HS256" }];
    const signature = { protected: jws.protected as string, signature: jws.signature };
    const { notes } = await check({ ...card, signatures: [signature] }, keys);
    expect(notes).toEqual([expect.stringContaining('the algorithm "HS256" is not accepted')]);
  });

  it("ignores an algorithm and a key set in the unprotected header", async () => {
    const unprotected = { alg: "ES256", kid: "key-1", jku: JKU };
    const { kid, jku, ...rest } = header;
    const signature = { ...(await sign(card, rest)), header: unprotected };
    const { notes, requested } = await check({ ...card, signatures: [signature] });
    expect(notes).toEqual([
      expect.stringMatching(/couldn't be checked: its protected header must name a key/),
    ]);
    expect(requested).toEqual([]);
  });

  it("does not trust a key in the signature's own header", async () => {
    const { jku, ...rest } = header;
    for (const extra of [{ jwk }, { x5u: JKU }, { x5c: ["AA"] }]) {
      const signature = await sign(card, { ...rest, ...extra });
      const { notes, requested } = await check({ ...card, signatures: [signature] });
      expect(notes).toEqual([expect.stringMatching(/couldn't be checked: its protected header must name/)]);
      expect(requested).toEqual([]);
    }
  });

  it.each([
    "https://evil.example/jwks.json",
    "https://agent.example.com.evil.example/jwks.json",
    "https://10.0.0.1/jwks.json",
    "https://169.254.169.254/jwks.json",
    "http://localhost:8080/jwks.json",
    "data:application/json,%7B%22keys%22:[]%7D",
    "file:///etc/passwd",
  ])("does not request the key set %s of another site", async (jku) => {
    const { notes, requested } = await check({ ...card, signatures: [await sign(card, { ...header, jku })] });
    expect(notes).toEqual([expect.stringMatching(/couldn't be checked: its keys are on another site/)]);
    expect(requested).toEqual([]);
  });

  it("rejects a key set that the site redirects to another site", async () => {
    const signed = { ...card, signatures: [await sign(card)] };
    const { notes } = await check(signed, [jwk], "https://evil.example/jwks.json");
    expect(notes).toEqual([expect.stringContaining("its keys are on another site")]);
  });

  it.each([
    ["a path", "../../etc/passwd"],
    ["a name of Object.prototype", "__proto__"],
    ["the name of a key and a zero byte", "key-1\u0000"],
    ["terminal colors", "\u001b[31mkey-1"],
    ["a text direction mark", "\u202ekey-1"],
    ["five thousand characters", "k".repeat(5_000)],
  ])("compares a key id of %s as text, and prints it safely", async (_, kid) => {
    const { notes, requested } = await check({ ...card, signatures: [await sign(card, { ...header, kid })] });
    expect(requested).toEqual([JKU]);
    expect(notes[0]).toMatch(/doesn't match the card: https:\/\/keys\.example\.com\/jwks\.json has no key/);
    expect(notes[0]).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(notes[0]?.length).toBeLessThan(200);
  });

  it.each([
    ["a key for encryption", () => [{ ...jwk, use: "enc" }]],
    ["a key that is not for verifying", () => [{ ...jwk, key_ops: ["encrypt"] }]],
    ["a key of another algorithm", () => [{ ...jwk, alg: "ES384" }]],
    ["a symmetric key", () => [{ kty: "oct", k: "AA", kid: "key-1" }]],
    ["a revoked key", () => [{ ...jwk, revoked: { revoked_at: 1 } }]],
    ["two keys of one name", () => [jwk, jwk]],
    ["no list", () => "keys"],
    ["other values", () => [null, 1, "key-1"]],
    [
      "ten thousand other keys",
      () => Array.from({ length: 10_000 }, (_, index) => ({ ...jwk, kid: `${index}` })),
    ],
  ])("does not verify with a key set of %s", async (_, keys) => {
    const { notes } = await check({ ...card, signatures: [await sign(card)] }, keys());
    expect(notes).toHaveLength(1);
    expect(notes[0]).not.toMatch(/valid\.$/);
  });

  it("rejects critical header parameters that it does not know", async () => {
    const signature = forge({ ...header, crit: ["exp"], exp: 1 }, String((await sign(card)).signature));
    expect((await check({ ...card, signatures: [signature] })).notes[0]).toMatch(/couldn't be checked/);
  });

  it.each([
    [{}],
    [{ protected: 1 }],
    [{ protected: "e30" }],
    [{ protected: "%%%" }],
    [{ protected: base64url.encode("[1]") }],
  ])("reports the malformed signature %j", async (signature) => {
    const { notes } = await check({ ...card, signatures: [signature] });
    expect(notes).toEqual([expect.stringMatching(/doesn't match|couldn't be checked/)]);
  });

  it("checks five of ten thousand signatures", async () => {
    const signatures = Array(10_000).fill(await sign(card));
    const { notes, requested } = await check({ ...card, signatures });
    expect(requested).toHaveLength(5);
    expect(notes).toEqual([
      ...Array(5).fill(VALID),
      "Only the first 5 of the card's signatures were checked.",
    ]);
  });

  it("reports a card without a canonical form", async () => {
    const signed = { ...card, limit: 1e21, name: "\ud800", signatures: [await sign(card)] };
    expect((await check(signed)).notes[0]).toMatch(/^The card's signature couldn't be checked: /);
  });
});

describe("discoverService, for a signed agent card", () => {
  const elsewhere =
    "The agent is on another site, at https://agent.example.com/rpc. Only its controller can register it.";

  const guardedFetch = createGuardedFetch({ allowLoopback: true });

  it("puts the result among the finding's notes and preserves the signature", async () => {
    const { origin, files } = await serveFiles();
    const signature = await sign(card, { ...header, jku: `${origin}/jwks.json` });
    files.set("/jwks.json", JSON.stringify({ keys: [jwk] }));
    files.set("/card.json", JSON.stringify({ ...card, signatures: [signature] }));
    const { findings } = await discoverService(`${origin}/card.json`, { guardedFetch });
    expect(findings[0]?.notes).toEqual([`Signed by key "key-1" at ${origin}/jwks.json: valid.`, elsewhere]);
    expect(findings[0]?.metadata.endpoints).toMatchObject([{ signatures: [signature] }]);
  });

  it("accepts a card whose keys can't be read, and says why", async () => {
    const { origin, files } = await serveFiles();
    const signature = await sign(card, { ...header, jku: `${origin}/jwks.json` });
    files.set("/card.json", JSON.stringify({ ...card, signatures: [signature] }));
    const { findings } = await discoverService(`${origin}/card.json`, { guardedFetch });
    expect(findings).toMatchObject([
      {
        kind: "a2a",
        notes: [
          `The card's signature couldn't be checked: ${origin}/jwks.json returned HTTP 404 instead of 200.`,
          elsewhere,
        ],
      },
    ]);
  });

  it("reads each key set once and no endless one", async () => {
    let requests = 0;
    const origin: string = await serveHttp(async (request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (request.url !== "/jwks.json") {
        const signature = await sign(card, { ...header, jku: `${origin}/jwks.json` });
        return void response.end(JSON.stringify({ ...card, signatures: Array(100).fill(signature) }));
      }
      requests += 1;
      response.end(`{"keys":[${" ".repeat(2_000_000)}]}`);
    });
    const { findings } = await discoverService(`${origin}/card.json`, { guardedFetch });
    expect(requests).toBe(1);
    expect(findings[0]?.notes?.[0]).toMatch(/couldn't be checked: .*(?:large|MiB|bytes)/);
  });
});
