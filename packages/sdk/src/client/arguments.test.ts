import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import {
  createTestRegistry,
  mintParameters,
  newDid,
  registerApp,
  type TestRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createPublicClient, createWalletClient, encodeErrorResult, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as sdk from "../index.ts";
import * as reads from "./reads.ts";
import * as waits from "./waiters.ts";
import * as writes from "./writes.ts";

const key = `0x${"5e".repeat(31)}a1` as const;
const address = "0x00000000000000000000000000000000000000AA";
const hash = `0x${"ab".repeat(32)}` as const;
const signature = { issuer: address, statedAt: 1, deadline: 2, signature: "0x00" };

/** Arguments of each method; `prepareX` takes those of `x`. */
const signatures = Object.fromEntries(
  Object.entries({ ...reads, ...writes, ...waits }).map(([name, { signature }]) => [name, signature]),
);

/** Valid value of each argument. */
const right: Record<string, unknown> = {
  ...{
    did: "did:web:example.com",
    successor: "did:web:next.example.com",
    major: 1,
    interfaces: 2,
    status: 1,
  },
  ...{ controller: address, owner: address, incumbent: address, challenger: address, claimant: address },
  ...{ issuer: address, from: address, to: address, pointer: address, connectedAddress: address },
  ...{ account: address, dataHash: hash, hash, dataHashAlgorithm: 0, traitHashes: [hash], tokenId: 1n },
  ...{ cursor: 1n, limit: 10, until: 1, expiresAt: 1, confirmations: 1, timeoutMs: 100, blockNumber: 1n },
  ...{
    fromBlock: 1n,
    toBlock: 1n,
    dataUrl: "https://example.com/a.json",
    metadataJson: "{}",
    matchAll: true,
  },
  ...{
    contractId: "",
    fungibleTokenId: "",
    baseUrl: "https://registry.example",
    signature,
    version: "1.0.0",
    blocks: [{ did: "did:web:example.com", controller: address, until: 1 }],
  },
};

/** Values that are invalid for every argument, apart from the exceptions in `isRight`. */
const wrong = [null, "", key, Number.NaN, -1, 1.5, 10n ** 80n, {}, [null], () => 1, Symbol("x")];

let asked = 0;
let server: Server | undefined;
let client: sdk.AppRegistryClient;
let registry: TestRegistry;

afterAll(() => server?.close());

beforeAll(async () => {
  registry = await createTestRegistry();
  // Invalid arguments must cause no request, so the content of the response does not matter.
  server = createServer((_, response) => {
    asked += 1;
    response.end("{}");
  }).listen(0);
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const transport = http(url, { retryCount: 0 });
  client = sdk.createAppRegistryClient({
    deployment: registry.deployment,
    publicClient: createPublicClient({ transport }),
    walletClient: createWalletClient({ transport, account: privateKeyToAccount(hash) }),
  });
});

/** Returns the error that a call throws or rejects with, or that its listing throws when it is iterated. */
async function getFailure(run: () => unknown): Promise<unknown> {
  try {
    const made = (await run()) as { [Symbol.asyncIterator]?: unknown } | undefined;
    if (made?.[Symbol.asyncIterator]) for await (const _ of made as AsyncIterable<unknown>) break;
    return undefined;
  } catch (error) {
    return error;
  }
}

const refusals = [
  "InvalidArgumentError",
  "InvalidDidError",
  "InvalidVersionError",
  "InvalidTraitError",
  "InvalidSearchError",
];

async function expectRefusal(
  run: () => unknown,
  names: readonly string[] = refusals,
): Promise<sdk.AppRegistryError> {
  const before = asked;
  const error = await getFailure(run);
  expect(error).toBeInstanceOf(sdk.AppRegistryError);
  expect(names, inspect(error)).toContain((error as Error).name);
  expectNoKey(error);
  expect(asked).toBe(before);
  return error as sdk.AppRegistryError;
}

/** Expects that the key is not in the message, a property or a cause, in any form that a program logs. */
function expectNoKey(error: unknown): void {
  const told = [
    String(error),
    (error as Error).stack,
    JSON.stringify(error, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    inspect(error, { depth: 10, showHidden: true }),
  ].join("\n");
  expect(told).not.toContain(key.slice(2));
}

type Method = (...given: unknown[]) => unknown;

const methods = Object.entries(signatures).flatMap(([name, signature]) => {
  const twin = `prepare${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const [, single] = /^\((.*)\)$/.exec(signature) ?? [];
  const needsVersion = ["mint", "updateAppControlled", "getVersionRecord"].includes(name);
  const names = `${single ?? signature}${needsVersion ? " version" : ""}`.split(" ").filter(Boolean);
  return [name, twin].flatMap((method) => names.map((argument) => ({ method, argument, names, single })));
});

describe("client methods", () => {
  it.each(methods)(
    "$method rejects an invalid $argument without sending a request",
    async ({ method, argument, names, single }) => {
      const run = (client as unknown as Record<string, Method | undefined>)[method];
      if (!run) return;
      const name = argument.replace("?", "");
      const given = Object.fromEntries(
        names.map((one) => [one.replace("?", ""), right[one.replace("?", "")]]),
      );
      const call = (value: unknown) => run(single === undefined ? { ...given, [name]: value } : value);
      const isRight = (value: unknown) =>
        (name === "timeoutMs" && value === 1.5) ||
        (value === "" && ["dataUrl", "metadataJson", "contractId", "fungibleTokenId"].includes(name)) ||
        (value === key && ["dataHash", "hash"].includes(name)) ||
        (typeof value === "bigint" && typeof right[name] === "bigint");
      for (const value of wrong.filter((one) => !isRight(one))) {
        const { shortMessage } = await expectRefusal(() => call(value));
        expect(shortMessage).toMatch(
          name === "did" || name === "version" ? /DID|[Vv]ersion|did/ : new RegExp(`${name}: expected `),
        );
      }
      if (!argument.endsWith("?")) await expectRefusal(() => call(undefined));
    },
  );

  it("have a signature for every method", () => {
    const named = Object.entries(client).filter(([, value]) => typeof value === "function");
    const known = [...Object.keys(signatures)].map((name) => name.toLowerCase());
    expect(
      named
        .map(([name]) => name.replace(/^prepare/, "").toLowerCase())
        .filter((name) => !known.includes(name)),
    ).toEqual([]);
  });

  it("reject a private key as the sending account", async () => {
    const parameters = { did: "did:web:example.com", controller: address, account: key } as const;
    const { shortMessage } = await expectRefusal(() => client.attestDid(parameters));
    expect(shortMessage).toContain("account: expected an address");
  });
});

describe("functions", () => {
  const any = (value: unknown) => value as never;
  const did = "did:web:example.com";
  const version = "1.0.0";
  const metadata = "{}";
  const registered = { latestMajor: undefined, record: undefined };
  const plan = { action: "mint", parameters: {} };
  const bad = [undefined, null, key, 5, {}];

  const calls: [string, (value: unknown) => unknown, (readonly unknown[])?][] = [
    ["verifyApp", (value) => sdk.verifyApp(any(value))],
    ["verifyApp did", (value) => sdk.verifyApp(any({ client, did: value }))],
    ["verifyApp version", (value) => sdk.verifyApp(any({ client, did, version: value ?? {} }))],
    ["verifyApp fetchDocument", (value) => sdk.verifyApp(any({ client, did, fetchDocument: value ?? {} }))],
    [
      "verifyApp timeoutMs",
      (value) => sdk.verifyApp(any({ client, did, timeoutMs: value ?? {} })),
      [key, {}, 0, -1],
    ],
    ["publishApp", (value) => sdk.publishApp(any(value))],
    ["publishApp did", (value) => sdk.publishApp(any({ client, did: value, version, metadata }))],
    ["publishApp version", (value) => sdk.publishApp(any({ client, did, version: value, metadata }))],
    [
      "publishApp metadata",
      (value) => sdk.publishApp(any({ client, did, version, metadata: value })),
      [undefined, key, 5],
    ],
    [
      "publishApp account",
      (value) => sdk.publishApp(any({ client, did, version, metadata, account: value ?? {} })),
    ],
    [
      "publishApp dataUrl",
      (value) => sdk.publishApp(any({ client, did, version, metadata, dataUrl: value ?? {} })),
    ],
    [
      "publishApp contractId",
      (value) => sdk.publishApp(any({ client, did, version, metadata, contractId: value ?? {} })),
    ],
    ["publishApps", (value) => sdk.publishApps(any(value))],
    ["publishApps services", (value) => sdk.publishApps(any({ client, services: value }))],
    ["planPublication", (value) => sdk.planPublication(any(value))],
    [
      "planPublication version",
      (value) => sdk.planPublication(any({ client, did, metadata, version: value })),
    ],
    ["planReplacement", (value) => sdk.planReplacement(any(value))],
    [
      "planReplacement successor",
      (value) => sdk.planReplacement(any({ client, did, major: 1, successor: value ?? {} })),
    ],
    ["preparePublication", (value) => sdk.preparePublication(client, any(value))],
    [
      "preparePublication parameters",
      (value) => sdk.preparePublication(client, any({ ...plan, parameters: value })),
    ],
    ["preparePublication client", (value) => sdk.preparePublication(any(value), any(plan))],
    ["readRegistered", (value) => sdk.readRegisteredDid(client, any(value))],
    ["describeCost", (value) => sdk.describeCost(client, any(value))],
    ["describeCost client", (value) => sdk.describeCost(any(value), { gas: 1n, gasPrice: 1n })],
    ["formatFee", (value) => sdk.formatFee(any(value))],
    ["estimateCall", (value) => sdk.estimateCall(client, any(value), address)],
    [
      "interfacesConflict",
      (value) => sdk.interfacesConflict(any(value), any(version), registered),
      [undefined, key, 8],
    ],
    ["interfacesConflict version", (value) => sdk.interfacesConflict(2, any(value), registered)],
    [
      "interfacesConflict registered",
      (value) => sdk.interfacesConflict(2, version, any(value)),
      [undefined, key, 5],
    ],
    ["versionConflict", (value) => sdk.versionConflict(any(value), { ...registered, latestMajor: 1 })],
    ["traitsConflict", (value) => sdk.traitsConflict(any(value), registered)],
    ["nextVersions", (value) => sdk.nextVersions(undefined, any(value)), [undefined, null, key, 256]],
    ["nextStage", (value) => sdk.nextStage(any(value))],
    ["stageOf", (value) => sdk.getStage(any(value), "sign")],
    ["isSent", (value) => sdk.isSent(any(value)), [undefined, null, key, 5]],
    ["runOperation", (value) => sdk.runOperation(any(value), any({}))],
    ["startPublication", (value) => sdk.createPublication(any(value), address)],
    ["startPublication account", (value) => sdk.createPublication({ did, version, metadata }, any(value))],
    ["startChange", (value) => sdk.createCallOperation(any(value))],
    ["startControlCheck", (value) => sdk.createControlCheck(any(value), address)],
    ["proposeVersion", (value) => sdk.proposeVersion(any(value), any({ metadata: {}, interfaces: 2 }))],
    [
      "proposeVersion metadata",
      (value) =>
        sdk.proposeVersion(any({ metadata: { a: value }, interfaces: 2 }), { metadata: {}, interfaces: 2 }),
      [1n, Number.NaN],
    ],
    ["requestAttestation", (value) => sdk.requestAttestation(any(value))],
    [
      "requestAttestation baseUrl",
      (value) => sdk.requestAttestation(any({ baseUrl: value, did, connectedAddress: address })),
    ],
    ["searchApps", (value) => sdk.searchApps(any(value))],
    ["searchApps baseUrl", (value) => sdk.searchApps(any({ baseUrl: value }))],
    ["searchChain", (value) => sdk.searchChain(any(value))],
    ["searchAll", (value) => sdk.searchAll(any(value))],
    ["searchAll did", (value) => sdk.searchAll(any({ client, did: value ?? 5 }))],
    [
      "fetchLiveRecord",
      (value) => sdk.fetchLiveRecord(any({ baseUrl: "https://registry.example", did, version: value })),
    ],
    ["connectAppRegistry", (value) => sdk.connectAppRegistry(any(value))],
    ["createAppRegistryClient", (value) => sdk.createAppRegistryClient(any(value))],
    [
      "createAppRegistryClient publicClient",
      (value) => sdk.createAppRegistryClient(any({ deployment: registry.deployment, publicClient: value })),
      [undefined, key, 5],
    ],
    ["parseDid", (value) => sdk.parseDid(any(value))],
    ["normalizeDid", (value) => sdk.normalizeDid(any(value))],
    ["parseVersion", (value) => sdk.parseVersion(any(value))],
    ["formatVersion", (value) => sdk.formatVersion(any(value))],
    ["compareVersions", (value) => sdk.compareVersions(version, any(value))],
    ["appPath", (value) => sdk.appPath(did, any(value)), [null, key, 5, {}]],
    ["dataUrlPath", (value) => sdk.dataUrlPath(did, any(value))],
    ["normalizeTrait", (value) => sdk.normalizeTrait(any(value)), [undefined, null, 5, {}, ""]],
    ["parseJsonStrict", (value) => sdk.parseJsonStrict(any(value)), [undefined, null, 5, {}]],
  ];

  it.each(calls)("%s rejects invalid arguments without sending a request", async (_, call, values = bad) => {
    for (const value of values) await expectRefusal(() => call(value));
  });

  it("list the allowed values of a search parameter in the error", async () => {
    const error = await expectRefusal(() => sdk.parseSearchQuery({ status: "gone", sort: "size" }));
    expect(error.shortMessage).toContain(
      'status: expected "0", "1", "2", "active", "deprecated", "replaced", "any"',
    );
    expect(error.shortMessage).toContain('sort: expected "relevance", "newest"');
  });

  it.each([
    [{ limit: 1_000 }, "limit: at most 100"],
    [{ limit: 0 }, "limit: at least 1"],
    [{ traits: 5 }, "traits: expected a list"],
    [{ updatedSince: "soon" }, "updatedSince: expected a time, such as 2026-01-31T00:00:00Z"],
  ])("describe the expected value of %j as: %s", async (query, text) => {
    const error = await expectRefusal(() => sdk.parseSearchQuery(query));
    expect(error.shortMessage).toBe(`The search is not valid: ${text}.`);
  });
});

describe("versions", () => {
  it("are accepted as text by every function that takes a version", async () => {
    const { publisher } = registry;
    const first = await registerApp(registry);
    const { did } = first;
    const next = { ...mintParameters(did, { name: "Second" }), version: "1.0.1", interfaces: 2 };
    await registry.mined(publisher.updateAppControlled(next));
    expect((await sdk.verifyApp({ client: publisher, did, version: "1.0.0" })).version).toBe("1.0.0");
    expect((await sdk.verifyApp({ client: publisher, did, version: "1.0" })).version).toBe("1.0.1");
    const record = await publisher.getVersionRecord({ did, version: "1.0.0" });
    expect(record.dataHash).toBe(first.dataHash);
    expect(publisher.prepareMint({ ...first, did: newDid(), version: "2.3.4" }).args.slice(7, 10)).toEqual([
      2, 3, 4,
    ]);
    expect(sdk.dataUrlPath(did, "1.0.0")).toBe(sdk.dataUrlPath(did, first.version));
    expect(sdk.compareVersions("1.0.9", { major: 1, minor: 0, patch: 10 })).toBe(-1);
  });

  it("are rejected by verifyApp if they have another form", async () => {
    const wrong = sdk.verifyApp({ client: registry.publisher, did: newDid(), version: "latest" });
    await expect(wrong).rejects.toMatchObject({ name: "InvalidVersionError" });
  });
});

describe("private keys", () => {
  it("do not appear in errors of fetchDocument, decoded reverts or converted viem errors", async () => {
    const { publisher, deployment, chain } = registry;
    const signal = AbortSignal.timeout(1_000);
    expectNoKey(await getFailure(() => sdk.fetchDocument(key, { signal })));
    const data = encodeErrorResult({ abi: sdk.appRegistryAbi, errorName: "InvalidDID", args: [key] });
    expectNoKey(sdk.decodeContractRevert(data));
    const { address, abi } = publisher.prepareMint(mintParameters(newDid()));
    const args = [key, 1] as const;
    const read = await getFailure(() => chain.readContract({ address, abi, functionName: "getApp", args }));
    expect(inspect(read)).toContain(key);
    expectNoKey(sdk.toAppRegistryError(read));
    const owner = [key, 0n, 1n] as never;
    const addressed = await getFailure(() =>
      chain.readContract({ address, abi, functionName: "getAppsByOwner", args: owner }),
    );
    expect(inspect(addressed)).toContain(key);
    expectNoKey(sdk.toAppRegistryError(addressed));
    expect(deployment.chainId).toBe(31337);
  });
});

describe("verifyApp, with a custom fetchDocument", () => {
  it.each([[undefined], [{ name: "Weather" }], [new Uint8Array(2)]])(
    "rejects with InvalidArgumentError if it returns %o",
    async (returned) => {
      const { did } = await registerApp(registry);
      const report = sdk.verifyApp({
        client: registry.publisher,
        did,
        fetchDocument: async () => returned as unknown as string,
      });
      await expect(report).rejects.toMatchObject({ name: "InvalidArgumentError" });
    },
  );
});
