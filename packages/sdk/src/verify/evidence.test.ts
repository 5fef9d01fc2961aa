import { type FaultyRpc, startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import {
  createTestRegistry,
  endpointsUnder,
  type Minted,
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createPublicClient, custom, http } from "viem";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { getSite } from "../../test/getSite.ts";
import { type AppRegistryClient, createAppRegistryClient } from "../client/createAppRegistryClient.ts";
import { canonicalizeValue } from "../json.ts";
import { checkEvidence, type EvidenceCheck } from "./checkEvidence.ts";
import { createEvidence, type Evidence, evidenceSchema } from "./evidence.ts";
import { verifyApp } from "./verifyApp.ts";

let registry: TestRegistry;
let minted: Minted;
let evidence: Evidence;
let faulty: FaultyRpc;

const collect = (did: string, version?: string) =>
  createEvidence({ client: registry.publisher, did, version, siteOf: getSite });

const check = (value: unknown, options: { client?: AppRegistryClient; atHead?: boolean } = {}) =>
  checkEvidence({
    client: registry.publisher,
    evidence: canonicalizeValue(value),
    siteOf: getSite,
    ...options,
  });

const messages = ({ problems }: EvidenceCheck) => problems.map(({ message }) => message);

beforeAll(async () => {
  registry = await createTestRegistry();
  faulty = await startFaultyRpc(inject("rpcUrl"));
  const did = newDid();
  minted = await registerApp(registry, mintParameters(did, restMetadata("Evidence", endpointsUnder(did))));
  await registry.mined(registry.issuer.attestDataHash(minted));
  evidence = await collect(did);
});
afterAll(() => faulty.close());

describe("createEvidence", () => {
  it("has the facts of verifyApp, with the calls and logs behind each of them", async () => {
    expect(evidenceSchema.parse(evidence)).toEqual(evidence);
    const { facts } = await verifyApp({ client: registry.publisher, did: minted.did, siteOf: getSite });
    for (const [name, { outcome, reason }] of Object.entries(facts)) {
      expect(evidence.facts).toContainEqual(expect.objectContaining({ fact: name, outcome, reason }));
    }
    const named = ({ fact, ...line }: { fact: string; call?: string; event?: string }) =>
      `${fact} ${line.call ?? line.event}`;
    expect(evidence.calls.map(named)).toEqual([
      "record AppRegistry.getAppSummary",
      "control ResolverWithStore.getController",
      "control ResolverWithStore.getDIDAttestations",
      "content AppMetadata.getMetadata",
      "attested ResolverWithStore.getDataHashAttestations",
    ]);
    expect(evidence.logs.map(named)).toEqual([
      "record AppMinted",
      "control DIDAttested",
      "content MetadataSet",
      "attested DataHashAttested",
    ]);
  });

  it("names what a fact rests on that the chain can't show", () => {
    const restsOn = (name: string) => evidence.facts.find(({ fact }) => fact === name);
    expect(restsOn("origin")?.restsOn).toContain("public suffix list");
    expect(restsOn("live")).toMatchObject({
      outcome: "unknown",
      restsOn: `The checks that a registry makes itself: /api/live/${minted.did}/v/1.0.0.`,
    });
  });

  it("is the same when it is collected again at the same block", async () => {
    const { did } = minted;
    const blockNumber = BigInt(evidence.block.number);
    await registry.passTime(1);
    const again = await createEvidence({ client: registry.publisher, did, siteOf: getSite, blockNumber });
    expect(canonicalizeValue(again)).toBe(canonicalizeValue(evidence));
  });

  it("covers an older version and a document that is not on the chain", async () => {
    const did = newDid();
    const first = { ...mintParameters(did, restMetadata("Not on the chain")), metadataJson: "" };
    await registerApp(registry, first);
    const { interfaces: _, ...newer } = mintParameters(did, restMetadata("Newer"));
    const update = {
      ...newer,
      version: { major: 1, minor: 1, patch: 0 },
      dataUrl: "https://example.com/2.json",
    };
    await registry.mined(registry.publisher.updateAppControlled(update));
    const older = await collect(did, "1.0.0");
    const content = older.facts.find(({ fact }) => fact === "content");
    expect(content).toMatchObject({ outcome: "unknown" });
    expect(content?.restsOn).toContain("https://example.com/metadata.json serves");
    expect(older.logs.map(({ event }) => event)).not.toContain("AppUpdated");
    expect(await check(older)).toMatchObject({ outcome: "pass" });
    expect((await collect(did)).logs.map(({ event }) => event)).toContain("AppUpdated");
  });

  it("throws for a service that is not registered, and if a call is not answered", async () => {
    await expect(collect("did:web:nobody.example.com")).rejects.toThrow("No service is registered");
    const client = connectTo(faulty.url);
    faulty.break(({ params }) => (JSON.stringify(params).includes("0x16396e3e") ? "error" : "pass"));
    await expect(createEvidence({ client, did: minted.did })).rejects.toThrow();
    faulty.heal();
  });
});

const connectTo = (rpcUrl: string) =>
  createAppRegistryClient({
    deployment: registry.deployment,
    publicClient: createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) }),
  });

/** Creates a client that requests each answer of the chain once. */
function createMemoryClient() {
  const answers = new Map<string, Promise<unknown>>();
  const request = (call: { method: string; params?: unknown }) => {
    const key = JSON.stringify(call);
    const answer = answers.get(key) ?? registry.chain.request(call as never);
    answers.set(key, answer);
    return answer;
  };
  return createAppRegistryClient({
    deployment: registry.deployment,
    publicClient: createPublicClient({ transport: custom({ request }, { retryCount: 0 }) }),
  });
}

/** Returns copies of a value, each with one change: another leaf, and one member or item less. */
function* changed(value: unknown, pointer = ""): Generator<[pointer: string, copy: unknown]> {
  if (typeof value === "number") yield [pointer, value + 1];
  else if (typeof value === "string") {
    yield [pointer, value.replace(/.$/, (last) => (last === "0" ? "1" : "0"))];
    yield [pointer, `${value}0`];
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [at, copy] of changed(item, `${pointer}/${index}`)) yield [at, value.with(index, copy)];
      yield [pointer, value.toSpliced(index, 1)];
      yield [`${pointer}/${value.length}`, [...value, item]];
    }
  } else {
    for (const [name, item] of Object.entries(value as object)) {
      for (const [at, copy] of changed(item, `${pointer}/${name}`))
        yield [at, { ...(value as object), [name]: copy }];
      const { [name]: _, ...rest } = value as Record<string, unknown>;
      yield [`${pointer}/${name}`, rest];
    }
    yield [pointer, { ...(value as object), extra: 1 }];
  }
}

describe("checkEvidence", () => {
  it("passes unchanged evidence, also after later blocks and in another layout", async () => {
    await registry.passTime(1);
    const result = await check(evidence);
    expect(result).toMatchObject({ outcome: "pass", blockNumber: evidence.block.number, problems: [] });
    expect(result.reason).toBe(`Your chain confirms all 15 lines at block ${evidence.block.number}.`);
    const pretty = JSON.stringify(evidence, null, 2);
    const client = registry.publisher;
    expect(await checkEvidence({ client, evidence: pretty, siteOf: getSite })).toMatchObject({
      outcome: "pass",
    });
  });

  // @threat services: Evidence with one altered, added or missing line or field
  it("refuses every change of one field or line, and names it", async () => {
    const client = createMemoryClient();
    let changes = 0;
    for (const [pointer, copy] of changed(evidence)) {
      const { outcome, problems } = await check(copy, { client });
      expect({ pointer, outcome }).toEqual({ pointer, outcome: "fail" });
      const line = (text: string) => text.split("/", /^.(facts|calls|logs)/.test(text) ? 3 : 2).join("/");
      const isNamed = problems.some((one) => line(pointer).startsWith(line(one.pointer)));
      expect({ pointer, problems, isNamed }).toMatchObject({ isNamed: true });
      changes += 1;
    }
    expect(changes).toBeGreaterThan(300);
  });

  it("names the line, the field and both values", async () => {
    const facts = evidence.facts.map((line) =>
      line.fact === "control" ? { ...line, outcome: "fail" as const } : line,
    );
    expect(messages(await check({ ...evidence, facts }))).toEqual([
      'In the fact control: outcome is "fail" in the file and "pass" on your chain.',
    ]);
  });

  // @threat services: Evidence from a look-alike registry, whose contracts answer as they like
  it("refuses the contracts of another registry before it calls them", async () => {
    const other = await createTestRegistry();
    const result = await check(evidence, { client: other.publisher });
    expect(result).toMatchObject({
      outcome: "fail",
      problems: [{ pointer: "/contracts/AppRegistry" }, {}, {}],
    });
  });

  it("refuses a block that the chain doesn't have", async () => {
    const number = evidence.block.number + 1_000_000;
    expect(messages(await check({ ...evidence, block: { ...evidence.block, number } }))[0]).toMatch(
      /^Block \d+ is not on your chain yet/,
    );
  });

  describe("with an RPC that has no state of older blocks", () => {
    beforeAll(async () => {
      await registry.passTime(1);
      const latest = await registry.chain.getBlockNumber();
      const tags = ["latest", `0x${latest.toString(16)}`];
      faulty.break(({ method, params }) =>
        method === "eth_call" && !tags.includes(String(params[1])) ? "error" : "pass",
      );
    });
    afterAll(() => faulty.heal());

    it("is unknown and says what to do, and passes at the latest block", async () => {
      const client = connectTo(faulty.url);
      const result = await check(evidence, { client });
      expect(result).toMatchObject({ outcome: "unknown", problems: [] });
      expect(result.reason).toMatch(
        /^Your RPC endpoint can't read the state of block \d+ .*archive endpoint/,
      );
      expect(await check(evidence, { client, atHead: true })).toMatchObject({ outcome: "pass" });
    });
  });
});
