import { createServer } from "node:http";
import { createGuardedFetch, createTxtResolver } from "@app-registry/outbound";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import { listen } from "@app-registry/test-kit/listen";
import { type Address, getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import vectors from "../../../sdk/test/vectors/did-document-terms.json" with { type: "json" };
import { checkDidControl } from "./checkDidControl.ts";
import type { CheckDidControlParameters, DidControl } from "./didControl.ts";

const wallet = getAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const other = getAddress("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 1_000 });

type Answer = { status?: number; type?: string; location?: string; body?: string };
let server: Awaited<ReturnType<typeof listen>>;
let port: number;
/** Responses of the host, by path. */
const files = new Map<string, Answer>();

beforeAll(async () => {
  const host = createServer((request, response) => {
    const {
      status = 200,
      type = "application/did+json",
      location,
      body = "",
    } = files.get(request.url ?? "") ?? {
      status: 404,
    };
    response.writeHead(status, { "content-type": type, ...(location ? { location } : {}) }).end(body);
  });
  server = await listen(host);
  port = server.port;
});
afterAll(() => server.close());

let next = 0;

/** Creates a new DID on the host with the given response for did.json. */
function publish(answer: (did: string) => Answer | object): string {
  const name = `case-${next++}`;
  const did = `did:web:localhost%3A${port}:${name}`;
  const given = answer(did);
  const isAnswer = "body" in given || "status" in given;
  files.set(`/${name}/did.json`, isAnswer ? (given as Answer) : { body: JSON.stringify(given) });
  return did;
}

const naming = (did: string, account: Address) => ({
  id: did,
  verificationMethod: [{ id: "#1", blockchainAccountId: `eip155:31337:${account}` }],
});

/** Serves the document that a failed check proposes. Returns it. */
function putProposed(control: DidControl): string {
  if (control.outcome === "pass" || !control.publish) throw new Error("passed, or no file proposed");
  const { url, document } = control.publish;
  files.set(new URL(url).pathname, { body: document });
  return document;
}

type Term = { term: string; cases: { name: string; document: object; outcome: string; reason?: string }[] };

const check = (did: string, more: Partial<CheckDidControlParameters> = {}) =>
  checkDidControl({
    did,
    controller: wallet,
    guardedFetch,
    chainClient: () => undefined,
    chainId: 31337,
    allowLoopback: true,
    ...more,
  });

describe("checkDidControl, for a did:web", () => {
  it("returns the evidence", async () => {
    const did = publish((id) => naming(id, wallet));
    expect(await check(did)).toEqual({
      outcome: "pass",
      did,
      controller: wallet,
      evidence: {
        kind: "did-document",
        url: `http://localhost:${port}/${did.split(":").at(-1)}/did.json`,
        methodId: "#1",
        property: "blockchainAccountId",
      },
    });
  });

  it("reads the well-known path of a bare domain and normalizes the entered DID", async () => {
    files.set("/.well-known/did.json", {
      body: JSON.stringify(naming(`did:web:localhost%3A${port}`, wallet)),
    });
    const control = await check(` DID:web:LOCALHOST%3a${port} `);
    expect(control).toMatchObject({ outcome: "pass", did: `did:web:localhost%3A${port}` });
  });

  it("refuses a page, and names the type to use", async () => {
    const did = publish((id) => ({ type: "text/html", body: JSON.stringify(naming(id, wallet)) }));
    expect(await check(did)).toMatchObject({
      outcome: "fail",
      reason: expect.stringMatching(/is served as .*; it must be application\/json\.$/),
    });
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it("rejects a document with another id, even a similar one", async () => {
    const did = publish((id) => naming(`${id}x`, wallet));
    expect(await check(did)).toMatchObject({ outcome: "fail", code: "did-document-id-mismatch" });
  });

  it("lists the content of each method and the file to publish", async () => {
    const did = publish((id) => naming(id, other));
    const control = await check(did);
    expect(control).toMatchObject({
      outcome: "fail",
      code: "wallet-not-in-did-document",
      ways: [{ way: "#1", reason: `blockchainAccountId is ${other}` }],
    });
    expect(JSON.parse(putProposed(control)).verificationMethod).toHaveLength(2);
    expect(await check(did)).toMatchObject({ outcome: "pass" });
  });

  it("reports the reason a method with the wallet is not accepted", async () => {
    const revoked = {
      id: "#1",
      blockchainAccountId: `eip155:31337:${wallet}`,
      revoked: "2024-12-10T15:28:32Z",
    };
    const asked = publish((id) => ({ id, verificationMethod: [{ id: "#0" }, revoked] }));
    const control = await check(asked);
    const url = `http://localhost:${port}/${asked.split(":").at(-1)}/did.json`;
    expect(control).toMatchObject({
      code: "wallet-not-in-did-document",
      reason:
        `${url} lists the wallet ${wallet}, but not with a method that proves control. ` +
        "#1: was revoked at 2024-12-10T15:28:32Z.",
      ways: [
        { way: "#0", reason: "contains no wallet and no public key" },
        { way: "#1", reason: "was revoked at 2024-12-10T15:28:32Z" },
      ],
    });
  });

  it("treats an empty document as one without methods", async () => {
    expect(await check(publish((id) => ({ id })))).toMatchObject({
      code: "wallet-not-in-did-document",
      ways: [{ reason: "it contains no verification methods" }],
    });
  });

  // @threat services: A DID, host, name, redirect or record that leads to a private address
  it("rejects a redirect to another host", async () => {
    const did = publish(() => ({ status: 302, location: `http://127.0.0.1:${port}/x/did.json` }));
    const control = await check(did);
    expect(control).toMatchObject({ outcome: "fail", code: "did-document-unreachable" });
    expect(control).toMatchObject({ reason: expect.stringContaining("redirects to another host") });
  });

  it.each<[string, (id: string) => object]>([
    ["many short lists", (id) => ({ id, service: Array(60_000).fill([[1], [2]]) })],
    ["hardly any room left", (id) => ({ id, service: "a".repeat((1 << 20) - 100) })],
  ])("proposes a file that it accepts itself, for one with %s", async (_, answer) => {
    const control = await check(publish(answer));
    putProposed(control);
    expect(await check(control.did)).toMatchObject({ outcome: "pass" });
  });

  it.each([
    ["a missing file", { status: 404 }, "fail", "did-document-missing"],
    ["a server that fails", { status: 500 }, "unknown", "did-document-unreachable"],
    ["a refusal", { status: 403 }, "fail", "did-document-unreachable"],
    ["a web page", { type: "text/html", body: "<p>" }, "fail", "did-document-unreachable"],
    ["text that is no JSON", { body: "{" }, "fail", "did-document-invalid"],
    ["duplicate keys", { body: '{"id":"a","id":"b"}' }, "fail", "did-document-invalid"],
    ["another shape", { body: '{"id":"a","verificationMethod":{}}' }, "fail", "did-document-invalid"],
  ] as const)("says what is wrong with %s, and what to publish", async (_, answer, outcome, code) => {
    const did = publish(() => answer);
    const control = await check(did);
    expect(control).toMatchObject({ outcome, code, publish: { url: expect.stringContaining("/did.json") } });
  });

  describe.each<Term>(vectors.terms)("with the term $term", ({ cases }) => {
    const named = getAddress(vectors.wallet);
    const at = { controller: named, chainId: vectors.chainId, now: Date.parse(vectors.now) };
    const serve = (document: object) =>
      publish((id) => ({ body: JSON.stringify(document).replaceAll(vectors.did, id) }));

    it.each(cases.filter(({ outcome }) => outcome === "accepted"))(
      "proves control for $name",
      async ({ document }) => {
        expect(await check(serve(document), at)).toMatchObject({ outcome: "pass" });
      },
    );

    // @threat services: A did.json of another DID or host, or a key that it marks as unusable
    it.each(cases.filter(({ outcome }) => outcome === "refused"))(
      "does not prove control, with a reason and a document to publish, for $name",
      async ({ document, reason = "?" }) => {
        const control = await check(serve(document), at);
        expect(control).toMatchObject({
          outcome: "fail",
          ways: expect.arrayContaining([
            expect.objectContaining({ reason: expect.stringContaining(reason) }),
          ]),
        });
        putProposed(control);
        expect(await check(control.did, at)).toMatchObject({ outcome: "pass" });
      },
    );
  });

  it("returns unknown if the host does not respond", async () => {
    const gone = await listen(createServer());
    await gone.close();
    expect(await check(`did:web:localhost%3A${gone.port}`)).toMatchObject({ outcome: "unknown" });
  });

  it("reports a domain that does not resolve", async () => {
    expect(await check("did:web:xn--a.com")).toMatchObject({
      outcome: "fail",
      code: "did-document-unreachable",
      reason: expect.stringContaining("is not a URL"),
    });
  });

  it("does not request a loopback host outside local mode", async () => {
    const parameters = { controller: wallet, chainClient: () => undefined, chainId: 1 };
    const did = publish((id) => naming(id, wallet));
    const control = await checkDidControl({ ...parameters, did, guardedFetch: createGuardedFetch() });
    expect(control).toMatchObject({
      outcome: "fail",
      reason: expect.stringContaining("not on the public internet"),
    });
  });
});

describe("checkDidControl, for a did:web with DNS TXT records enabled", () => {
  const did = "did:web:example.test";
  const name = "_controllers.example.test";
  let dns: DnsServer;
  /** DID on `.test`, which never resolves (RFC 6761), so there is no did.json and only DNS decides. */
  const resolve = (code: string) =>
    createGuardedFetch({
      resolve: (_host, _options, callback) => callback(Object.assign(new Error(code), { code }), []),
    });
  const checkTxt = (asked = did, more: Partial<CheckDidControlParameters> = {}) =>
    check(asked, {
      guardedFetch: resolve("ENOTFOUND"),
      resolveTxt: createTxtResolver({ servers: [dns.address], timeout: 500 }),
      ...more,
    });

  beforeAll(async () => {
    dns = await startDnsServer();
  });
  afterAll(() => dns.close());

  it("accepts a record with the wallet and returns it as evidence", async () => {
    const record = `v=1;controller=did:pkh:eip155:31337:${wallet.toLowerCase()}`;
    dns.put(name, [record]);
    expect(await checkTxt()).toEqual({
      outcome: "pass",
      did,
      controller: wallet,
      evidence: { kind: "dns-txt", name, record },
    });
  });

  it("also reads the registry's own earlier name and form", async () => {
    const [earlier, record] = ["_did.earlier.test", `controller=did:pkh:eip155:31337:${wallet}`];
    dns.put(earlier, [record]);
    dns.put("_controllers.earlier.test", [`v=1;controller=did:pkh:eip155:31337:${other}`]);
    expect(await checkTxt("did:web:earlier.test")).toMatchObject({
      outcome: "pass",
      evidence: { name: earlier, record },
    });
  });

  it("sends no DNS query if TXT records are disabled", async () => {
    dns.put(name, [`controller=did:pkh:eip155:31337:${wallet}`]);
    const before = dns.questions().length;
    const control = await checkTxt(did, { resolveTxt: undefined });
    expect(control).toMatchObject({
      outcome: "unknown",
      ways: [{ way: "https://example.test/.well-known/did.json" }],
    });
    expect(control).not.toHaveProperty("publish.txt");
    expect(dns.questions()).toHaveLength(before);
  });

  it.each([`${did}%3A8443`, `${did}:team`])(
    "sends no DNS query for %s, which may not belong to the domain's owner",
    async (asked) => {
      const before = dns.questions().length;
      const control = await checkTxt(asked);
      expect(control).toMatchObject({
        ways: [
          {},
          { way: "DNS TXT", reason: expect.stringContaining("only applies to a DID that is a plain domain") },
        ],
      });
      expect(control).not.toHaveProperty("publish.txt");
      expect(dns.questions()).toHaveLength(before);
    },
  );

  it("returns the reasons of both methods, with the file and the record to publish", async () => {
    dns.put(name, [`controller=did:pkh:eip155:31337:${other}`]);
    const control = await checkTxt();
    expect(control).toMatchObject({
      ways: [
        {
          way: "https://example.test/.well-known/did.json",
          reason: expect.stringContaining("does not resolve"),
        },
        { way: `TXT ${name}`, reason: `lists ${other.toLowerCase()} instead` },
        { way: "TXT _did.example.test", reason: "record not found" },
      ],
      publish: {
        url: "https://example.test/.well-known/did.json",
        document: expect.stringContaining(wallet),
      },
    });
    if (control.outcome === "pass" || !control.publish?.txt) throw new Error("no record proposed");
    dns.put(control.publish.txt.name, [control.publish.txt.record]);
    expect(await checkTxt()).toMatchObject({ outcome: "pass" });
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it("ignores the record of a DID that its document deactivates", async () => {
    dns.put(name, [`controller=did:pkh:eip155:31337:${wallet}`]);
    const served = { id: did, verificationMethod: [], deactivated: true };
    files.set("/example.test", { body: JSON.stringify(served) });
    /** Reads the domain's document from this host, because `.test` does not resolve. */
    const fetchHere: CheckDidControlParameters["guardedFetch"] = {
      ...guardedFetch,
      fetchDocument: (_url, options) =>
        guardedFetch.fetchDocument(`http://localhost:${port}/example.test`, options),
    };
    const control = await checkTxt(did, { guardedFetch: fetchHere });
    expect(control).toMatchObject({ outcome: "fail", code: "did-document-deactivated" });
    expect(control).not.toHaveProperty("publish.txt");
    files.set("/example.test", { body: JSON.stringify({ ...served, deactivated: false }) });
    expect(await checkTxt(did, { guardedFetch: fetchHere })).toMatchObject({ outcome: "pass" });
  });

  it("returns unknown if the name server does not respond, even if the file is rejected", async () => {
    dns.put(name, ["v=spf1 -all"]);
    const silent = await startDnsServer();
    silent.fallSilent();
    const resolveTxt = createTxtResolver({ servers: [silent.address], timeout: 200 });
    const refused = createGuardedFetch({
      resolve: (_host, _options, callback) => callback(null, [{ address: "10.0.0.1", family: 4 }]),
    });
    expect(await checkTxt(did, { guardedFetch: refused })).toMatchObject({ outcome: "fail" });
    expect(await checkTxt(did, { guardedFetch: refused, resolveTxt })).toMatchObject({ outcome: "unknown" });
    silent.close();
  });
});
