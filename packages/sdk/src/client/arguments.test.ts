import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import {
  mintParameters,
  newDid,
  registerApp,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { createPublicClient, createWalletClient, encodeErrorResult, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listArguments, signatures, validArguments } from "../../test/methodArguments.ts";
import * as sdk from "../index.ts";
import * as writes from "./writes.ts";

const key = `0x${"5e".repeat(31)}a1` as const;
const address = "0x00000000000000000000000000000000000000AA";
const hash = `0x${"ab".repeat(32)}` as const;
/** Values that are invalid for every argument, apart from the exceptions in `isRight`. */
const wrong = [null, "", key, Number.NaN, -1, 1.5, 10n ** 80n, {}, [null], () => 1, Symbol("x")];

let asked = 0;
let server: Server | undefined;
let client: sdk.AppRegistryClient;
let registry: TestRegistry;

afterAll(() => server?.close());

beforeAll(async () => {
  registry = await testRegistry();
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

/** Expects that a call refuses a value without a request, and that its error does not contain the key. */
async function expectRefusal(call: (value: never) => unknown, value: unknown): Promise<sdk.AppRegistryError> {
  const before = asked;
  const error = await getFailure(() => call(value as never));
  if (!(error instanceof sdk.AppRegistryError) || !refusals.includes(error.name))
    expect.fail(`${inspect(value)}: ${inspect(error)}`);
  if (value === key) expectNoKey(error);
  expect(asked).toBe(before);
  return error;
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

const methods = Object.keys(signatures).flatMap((name) => {
  const twin = `prepare${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const { names, single } = listArguments(name);
  return (name in writes ? [name, twin] : [name]).flatMap((method) =>
    names.map((argument) => ({ method, argument, names, single })),
  );
});

describe("client methods", () => {
  it.each(methods)(
    "$method rejects an invalid $argument without sending a request",
    async ({ method, argument, names, single }) => {
      const run = (client as unknown as Record<string, Method>)[method] as Method;
      const name = argument.replace("?", "");
      const given = Object.fromEntries(
        names.map((one) => one.replace("?", "")).map((one) => [one, validArguments[one]]),
      );
      const call = (value: unknown) => run(single === undefined ? { ...given, [name]: value } : value);
      const isRight = (value: unknown) =>
        (name === "timeoutMs" && value === 1.5) ||
        (value === "" && ["dataUrl", "metadataJson", "contractId", "fungibleTokenId"].includes(name)) ||
        (value === key && ["dataHash", "hash"].includes(name)) ||
        (typeof value === "bigint" && typeof validArguments[name] === "bigint");
      for (const value of wrong.filter((one) => !isRight(one))) {
        const { shortMessage } = await expectRefusal(call, value);
        expect(shortMessage).toMatch(
          name === "did" || name === "version" ? /DID|[Vv]ersion|did/ : new RegExp(`${name}: expected `),
        );
      }
      if (!argument.endsWith("?")) await expectRefusal(call, undefined);
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
    const parameters = { did: "did:web:example.com", controller: address } as const;
    const { shortMessage } = await expectRefusal(
      (account) => client.attestDid({ ...parameters, account }),
      key,
    );
    expect(shortMessage).toContain("account: expected an address");
  });
});

describe("functions", () => {
  const did = "did:web:example.com";
  const version = "1.0.0";
  const registered = { latestMajor: undefined, record: undefined };
  const plan = { action: "mint", parameters: {} };
  const given = [key, 5, {}];
  const bad = [undefined, null, ...given];

  /** Functions of one options object, with valid options and invalid values of some. */
  const withOptions: [(options: never) => unknown, () => object, Record<string, readonly unknown[]>][] = [
    [
      sdk.verifyApp,
      () => ({ client, did }),
      { did: bad, version: given, fetchDocument: given, timeoutMs: [key, {}, 0, -1] },
    ],
    [
      sdk.publishApp,
      () => ({ client, did, version, metadata: "{}" }),
      {
        ...{ did: bad, version: bad, metadata: [undefined, key, 5] },
        ...{ account: given, dataUrl: given, contractId: given },
      },
    ],
    [sdk.publishApps, () => ({ client }), { services: bad }],
    [sdk.planPublication, () => ({ client, did, metadata: "{}" }), { version: bad }],
    [sdk.planReplacement, () => ({ client, did, major: 1 }), { successor: given }],
    [sdk.requestAttestation, () => ({ did, connectedAddress: address }), { baseUrl: bad }],
    [sdk.searchApps, () => ({}), { baseUrl: bad }],
    [sdk.searchChain, () => ({}), {}],
    [sdk.searchAll, () => ({ client }), { did: given }],
    [sdk.connectAppRegistry, () => ({}), {}],
    [
      sdk.createAppRegistryClient,
      () => ({ deployment: registry.deployment }),
      { publicClient: [undefined, key, 5] },
    ],
  ];

  it.each(withOptions.map(([run, ...rest]) => [run.name, run, ...rest] as const))(
    "%s rejects invalid options without sending a request",
    async (_, run, valid, invalid) => {
      for (const value of bad) await expectRefusal(run, value);
      for (const [name, values] of Object.entries(invalid))
        for (const value of values) {
          const call = (one: unknown) => run({ ...valid(), [name]: one } as never);
          await expectRefusal(call, value);
        }
    },
  );

  const calls: [string, (value: never) => unknown, (readonly unknown[])?][] = [
    ["preparePublication", (value) => sdk.preparePublication(client, value)],
    [
      "preparePublication parameters",
      (parameters) => sdk.preparePublication(client, { ...plan, parameters } as never),
    ],
    ["preparePublication client", (value) => sdk.preparePublication(value, plan as never)],
    ["readRegisteredDid", (value) => sdk.readRegisteredDid(client, value)],
    ["describeCost", (value) => sdk.describeCost(client, value)],
    ["describeCost client", (value) => sdk.describeCost(value, { gas: 1n, gasPrice: 1n })],
    ["formatFee", sdk.formatFee],
    ["estimateCall", (value) => sdk.estimateCall(client, value, address)],
    [
      "interfacesConflict",
      (value) => sdk.interfacesConflict(value, version as never, registered),
      [undefined, key, 8],
    ],
    ["interfacesConflict version", (value) => sdk.interfacesConflict(2, value, registered)],
    [
      "interfacesConflict registered",
      (value) => sdk.interfacesConflict(2, version as never, value),
      [undefined, key, 5],
    ],
    ["versionConflict", (value) => sdk.versionConflict(value, { ...registered, latestMajor: 1 })],
    ["traitsConflict", (value) => sdk.traitsConflict(value, registered)],
    ["nextVersions", (value) => sdk.nextVersions(undefined, value), [undefined, null, key, 256]],
    ["nextStage", sdk.nextStage],
    ["getStage", (value) => sdk.getStage(value, "sign")],
    ["isSent", sdk.isSent, [undefined, null, key, 5]],
    ["runOperation", (value) => sdk.runOperation(value, {} as never)],
    ["createPublication", (value) => sdk.createPublication(value, address)],
    ["createPublication account", (value) => sdk.createPublication({ did, version, metadata: "{}" }, value)],
    ["createCallOperation", sdk.createCallOperation],
    ["createControlCheck", (value) => sdk.createControlCheck(value, address)],
    ["proposeVersion", (value) => sdk.proposeVersion(value, { metadata: {}, interfaces: 2 })],
    [
      "proposeVersion metadata",
      (a) => sdk.proposeVersion({ metadata: { a }, interfaces: 2 }, { metadata: {}, interfaces: 2 }),
      [1n, Number.NaN],
    ],
    [
      "fetchLiveRecord version",
      (value) => sdk.fetchLiveRecord({ baseUrl: "https://registry.example", did, version: value }),
    ],
    ["parseDid", sdk.parseDid],
    ["normalizeDid", sdk.normalizeDid],
    ["parseVersion", sdk.parseVersion],
    ["formatVersion", sdk.formatVersion],
    ["compareVersions", (value) => sdk.compareVersions(version, value)],
    ["appPath", (value) => sdk.appPath(did, value), [null, key, 5, {}]],
    ["dataUrlPath", (value) => sdk.dataUrlPath(did, value)],
    ["normalizeTrait", sdk.normalizeTrait, [undefined, null, 5, {}, ""]],
    ["parseJsonStrict", sdk.parseJsonStrict, [undefined, null, 5, {}]],
  ];

  it.each(calls)("%s rejects invalid arguments without sending a request", async (_, call, values = bad) => {
    for (const value of values) await expectRefusal(call, value);
  });
});

it("every function that takes a version accepts it as text", async () => {
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

it("verifyApp rejects with InvalidArgumentError if fetchDocument returns no text", async () => {
  const { did } = await registerApp(registry);
  for (const returned of [undefined, { name: "Weather" }, new Uint8Array(2)]) {
    const fetchDocument = async () => returned as unknown as string;
    const report = sdk.verifyApp({ client: registry.publisher, did, fetchDocument });
    await expect(report).rejects.toMatchObject({ name: "InvalidArgumentError" });
  }
});
