import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGuardedFetch } from "@app-registry/outbound";
import { canonicalizeValue, type JsonObject } from "@app-registry/sdk";
import { freePort } from "@app-registry/test-kit/freePort";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Registry } from "../registry.ts";
import { type RegistryFixture, startRegistry } from "../test/registryFixture.ts";
import { agentRoutes } from "./agentRoutes.ts";
import { createApi } from "./createApi.ts";

const skill = { id: "plan", name: "Plan", description: "Plans a route.", tags: ["maps"] };
const interfacesAt = (origin: string) => [
  { url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
];

let fixture: RegistryFixture;
let host: Server;
let origin: string;
let source: Registry;
let asked: string[] = [];
let held: ServerResponse[] = [];
let counted: string[] = [];
const files = new Map<string, (response: ServerResponse) => void>();

beforeAll(async () => {
  fixture = await startRegistry(await freePort());
  host = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const serveFile = files.get(path);
    if (serveFile) return serveFile(response);
    if (path.startsWith("/held")) return void held.push(response);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 2_000 });
  source = { ...fixture.registry, guardedFetch };
});
afterAll(async () => {
  host.closeAllConnections();
  await Promise.all([fixture.stop(), new Promise((resolve) => host.close(resolve))]);
});
beforeEach(() => {
  [asked, held, counted] = [[], [], []];
});

async function get(path: string, { client = "192.0.2.1", headers = {} } = {}) {
  const api = createApi(
    agentRoutes(() => source),
    () => ({
      clientAddress: () => client,
      consume: async (name) => void counted.push(name),
    }),
  );
  return api.fetch(new Request(`http://localhost/api/${path}`, { headers }));
}
const getCode = async (response: Response | Promise<Response>) => {
  const answered = await response;
  return [answered.status, (await answered.json()).code];
};

/** Serves a text at a path of the host. */
const put = (path: string, text: string, type = "application/json") =>
  files.set(path, (response) => response.writeHead(200, { "content-type": type }).end(text));

const createCard = (changes: object = {}) => ({
  name: "Planner",
  description: "Plans routes.",
  version: "1.0.0",
  supportedInterfaces: interfacesAt(origin),
  capabilities: { streaming: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [skill],
  ...changes,
});

/** Registers an agent whose card is at a path of the host. */
async function register(path: string, changes: object = {}) {
  const metadata = {
    name: "Planner",
    description: "Plans routes.",
    publisher: "Example",
    traits: ["api:a2a"],
    endpoints: [
      {
        name: "A2A",
        endpoint: `${origin}${path}`,
        supportedInterfaces: interfacesAt(origin),
        skills: [skill],
      },
    ],
    ...changes,
  };
  return (await fixture.register({ metadata })).did;
}

describe("GET /api/agent-card/{versionedDid}", () => {
  it("returns the text that the host serves, with the report, and requests it once for all readers", async () => {
    const text = `{ "x-price": 1.0e0,\n ${JSON.stringify(createCard()).slice(1)}`;
    put("/card", text);
    const did = await register("/card");
    const responses = await Promise.all(Array.from({ length: 40 }, () => get(`agent-card/${did}`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const body = await (responses[0] as Response).text();
    expect(body).toContain(text);
    expect(JSON.parse(body)).toMatchObject({
      did,
      version: "1.0.0",
      proven: { name: expect.stringContaining("localhost") },
      url: `${origin}/card`,
      fetchedAt: expect.any(Number),
      card: createCard(),
      signatures: [],
      differences: [],
      skills: { outcome: "same", changes: [] },
      verification: { facts: { record: { outcome: "pass" }, control: { outcome: "pass" } } },
    });
    expect(asked).toEqual(["/card"]);
    expect(counted.filter((name) => name === "importClient")).toHaveLength(40);
  });

  it("returns a card whose signatures are valid and reports each of them", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    put("/keys", JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k" }] }));
    const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: "k", jku: `${origin}/keys` }));
    const signCard = (card: JsonObject) => {
      const signed = `${header.toString("base64url")}.${Buffer.from(canonicalizeValue(card)).toString("base64url")}`;
      const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
      const parts = { protected: header.toString("base64url"), signature: signature.toString("base64url") };
      return JSON.stringify({ ...card, signatures: [parts] });
    };
    const signed = signCard(createCard({ description: "Plans\u200b routes \u{e0001}." }) as JsonObject);
    put("/signed", signed);
    const { card, signatures } = await (await get(`agent-card/${await register("/signed")}`)).json();
    expect(signatures).toEqual([`Signed by key "k" at ${origin}/keys: valid.`]);
    put("/copy", JSON.stringify(card));
    const copied = await (await get(`agent-card/${await register("/copy")}`)).json();
    expect(copied.signatures).toEqual(signatures);
    put("/changed", signed.replace("Planner", "Planter"));
    const changed = await (await get(`agent-card/${await register("/changed")}`)).json();
    expect(changed.signatures).toEqual([expect.stringContaining("doesn't match the card")]);
  });

  it("names what differs from the registered version", async () => {
    files.set("/moved", (response) => response.writeHead(302, { location: "/new" }).end());
    const added = { id: "pay", name: "Pay", description: "Pays.", tags: [] };
    const supportedInterfaces = interfacesAt("https://evil.example");
    put(
      "/new",
      JSON.stringify(
        createCard({ name: "Payer", version: "2", supportedInterfaces, skills: [skill, added] }),
      ),
    );
    const did = await register("/moved");
    const { differences, skills, url } = await (await get(`agent-card/${did}/v/1.0.0`)).json();
    expect(url).toBe(`${origin}/new`);
    expect(differences).toEqual([
      { field: "url", registered: `${origin}/moved`, served: `${origin}/new` },
      { field: "name", registered: "Planner", served: "Payer" },
      { field: "version", registered: "1.0.0", served: "2.0.0" },
      {
        field: "supportedInterfaces",
        registered: interfacesAt(origin),
        served: supportedInterfaces,
      },
    ]);
    expect(skills).toMatchObject({
      outcome: "changed",
      changes: [{ kind: "skill", name: "pay", change: "added" }],
    });
  });

  // @threat services: Text that controls a terminal or hides in an agent card
  it("escapes characters that terminals execute or that hide text, in a JSON of the same value", async () => {
    const name = "A\u009b31m\u202e\u2066\u200b\u2028\u{e0041}\u{1f600}é";
    put("/hostile", JSON.stringify(createCard({ name, skills: [{ ...skill, name }] })));
    const response = await get(`agent-card/${await register("/hostile")}`);
    const body = await response.text();
    expect(body).not.toMatch(/(?![\n])[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(JSON.parse(body)).toMatchObject({
      card: { name },
      differences: [{ field: "name", served: name }],
    });
  });

  // @threat services: A host that exhausts the server through its agent card
  it("reports a host that is slow, endless, or serves something else, and requests it once a minute", async () => {
    const loop = (response: ServerResponse) => void response.writeHead(302, { location: "/loop" }).end();
    files.set("/loop", loop);
    files.set("/endless", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => void (response.destroyed || response.write(" ".repeat(65_536), more));
      more();
    });
    put("/page", "<html>", "text/html");
    put("/other", `{"name":"x"}`);
    put("/twice", JSON.stringify(createCard()).replace("{", `{"name":"x",`));
    put("/deep", `{"name":"x","url":"x","skills":${"[".repeat(9_000)}${"]".repeat(9_000)}}`);
    const reasons = {
      "/held": "did not finish responding in time",
      "/endless": "larger",
      "/loop": "redirects",
      "/page": "served as text/html",
      "/other": "did not return an agent card",
      "/twice": "",
      "/deep": "",
      "/none": "404",
    };
    for (const [path, reason] of Object.entries(reasons)) {
      const did = await register(path);
      asked = [];
      const problems = [await get(`agent-card/${did}`), await get(`agent-card/${did}`)];
      for (const problem of problems) {
        expect(problem.headers.get("content-type")).toBe("application/problem+json");
        expect(await problem.json(), path).toMatchObject({
          status: 502,
          code: "agent-card-unreachable",
          detail: expect.stringContaining(reason),
        });
      }
      expect(asked.length, path).toBe(path === "/loop" ? 4 : 1);
    }
  });

  // @threat services: A host that exhausts the server through its agent card
  it("reads two cards of one client at a time without delaying other clients", async () => {
    const dids = [];
    for (const path of ["/held/1", "/held/2", "/held/3", "/free"]) dids.push(await register(path));
    put("/free", JSON.stringify(createCard()));
    const waiting = dids.slice(0, 3).map((did) => get(`agent-card/${did}`));
    await expect.poll(() => held.length).toBe(2);
    expect((await get(`agent-card/${dids[3]}`, { client: "192.0.2.2" })).status).toBe(200);
    expect(asked.filter((path) => path !== "/free")).toHaveLength(2);
    for (const response of held.splice(0)) response.writeHead(404).end();
    await expect.poll(() => held.length).toBe(1);
    for (const response of held.splice(0)) response.writeHead(404).end();
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([502]));
  });

  it("requests no card for a registry's server, without an A2A endpoint, or if the publisher opted out", async () => {
    put("/quiet", JSON.stringify(createCard()));
    const did = await register("/quiet", { probe: false });
    const loop = get(`agent-card/${did}`, { headers: { "cdn-loop": "app-registry" } });
    expect(await getCode(loop)).toEqual([508, "agent-card-loop"]);
    const problem = await (await get(`agent-card/${did}`)).json();
    expect(problem).toMatchObject({
      status: 404,
      detail: expect.stringContaining("opted out of live checks"),
    });
    const { did: plain } = await fixture.register();
    expect(await getCode(get(`agent-card/${plain}`))).toEqual([404, "agent-card-not-found"]);
    expect(await getCode(get("agent-card/did:web:nobody.example"))).toEqual([404, "app-not-found"]);
    expect(asked).toEqual([]);
  });
});

describe("GET /api/agent-registration/{versionedDid}", () => {
  it("returns what the record says as an ERC-8004 file", async () => {
    const did = await register("/any", { payments: [{ type: "x402" }], external_url: "https://example.com" });
    const response = await get(`agent-registration/${did}/v/1.0.0`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: "Planner",
      description: "Plans routes.",
      services: [
        { name: "DID", endpoint: did, version: "v1" },
        { name: "web", endpoint: "https://example.com" },
        { name: "A2A", endpoint: `${origin}/any` },
      ],
      x402Support: true,
      active: true,
    });
    expect(asked).toEqual([]);
  });

  it("is not active once the record is deprecated", async () => {
    const did = await register("/old");
    const hash = await fixture.publisher.updateStatus({ did, major: 1, status: 1 });
    await fixture.publisher.waitForReceipt({ hash });
    expect(await (await get(`agent-registration/${did}`)).json()).toMatchObject({ active: false });
  });

  it("reports a document that differs from the record", async () => {
    const { did } = await fixture.register({ onChain: false, served: `{"name":"B"}` });
    expect(await getCode(get(`agent-registration/${did}`))).toEqual([409, "hash-mismatch"]);
  });
});
