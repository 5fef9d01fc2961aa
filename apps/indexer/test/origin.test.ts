import { parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { readResults } from "@app-registry/index/search/records";
import { getSite } from "@app-registry/outbound/site";
import {
  type AppRegistryClient,
  didHash,
  normalizeDid,
  type Outcome,
  type VerificationReport,
} from "@app-registry/sdk";
import { originFact } from "@app-registry/sdk/internal";
import { beforeAll, describe, expect, it } from "vitest";
import { appRow, attest, fill, label, session } from "./harness/database.ts";

const publisher = `0x${"11".repeat(20)}` as const;
const stranger = `0x${"22".repeat(20)}` as const;
const contract = `did:pkh:eip155:1:0x${"c0".repeat(20)}`;

const at = (...urls: string[]) => ({ endpoints: urls.map((endpoint) => ({ name: "MCP", endpoint })) });
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://host${index}.example/`);
const contractEndpoint = { endpoints: [{ name: "Contract", endpoint: "https://x.example/" }] };

/** Accounts that control the other hosts. */
const hosts: Record<string, `0x${string}`> = {
  "did:web:own.example": publisher,
  "did:web:ported.example%3A8443": publisher,
  "did:web:stranger.example": stranger,
};
for (const url of numbered(21)) hosts[`did:web:${new URL(url).host}`] = publisher;

type Case = [name: string, outcome: Outcome, did: string, document: object | null];

const cases: Case[] = [
  ["its host", "pass", "did:web:a1.example", at("https://a1.example/x", "wss://a1.example:1/")],
  ["a host of its site", "pass", "did:web:www.a2.example", at("https://api.a2.example/")],
  ["another tenant of a shared site", "fail", "did:web:a.github.io", at("https://b.github.io/")],
  ["its path", "pass", "did:web:a3.example:a", at("https://a3.example/a/b")],
  ["another path", "fail", "did:web:a4.example:a", at("https://a4.example/b")],
  ["an own host", "pass", "did:web:a5.example", at("https://own.example/")],
  ["an own port", "pass", "did:web:a6.example", at("https://ported.example:8443/")],
  ["another port of that host", "fail", "did:web:a7.example", at("https://ported.example/")],
  ["a stranger's host", "fail", "did:web:a8.example", at("https://stranger.example/")],
  ["one of two hosts", "fail", "did:web:a9.example", at("https://own.example/", "https://x.example/")],
  ["an own host without control", "fail", "did:web:lost1.example", at("https://own.example/")],
  ["its host without control", "pass", "did:web:lost2.example", at("https://lost2.example/")],
  ["an IP address", "fail", "did:web:b3.example", at("https://203.0.113.7/")],
  ["no URL", "fail", "did:web:b4.example", at("nothing")],
  ["nothing to check", "pass", "did:web:b5.example", { external_url: "https://x.example" }],
  [
    "a launch address",
    "fail",
    "did:web:b6.example",
    { platforms: { web: { launchUrl: "https://x.example" } } },
  ],
  ["an own payment address", "pass", "did:web:b7.example", { payments: [{ url: "https://own.example/" }] }],
  ["a contract's RPC", "pass", contract, contractEndpoint],
  ["an endpoint named Contract", "fail", "did:web:b8.example", contractEndpoint],
  ["20 own hosts", "pass", "did:web:b9.example", at(...numbered(20))],
  ["21 own hosts", "unknown", "did:web:c1.example", at(...numbered(21))],
  ["a stranger's after 20", "unknown", "did:web:c2.example", at(...numbered(20), "https://x.example/")],
  ["a stranger's before 20", "fail", "did:web:c3.example", at("https://x.example/", ...numbered(20))],
  ["no document", "unknown", "did:web:c4.example", null],
];

const isControlled = (did: string) => !did.startsWith("did:web:lost");

const parse = (document: object | null) =>
  document && parseDocument(Buffer.from(JSON.stringify({ name: "Service", ...document })));

/** Id of the record of a case with its document on the chain, or at its dataUrl. */
const tokenIds = (index: number) => [String(2 * index + 1), String(2 * index + 2)] as const;

beforeAll(async () => {
  const rows = cases.flatMap(([, , did, document], index) =>
    tokenIds(index).map((id, major) => {
      const isOnChain = major === 0;
      const { name: _, ...labels } = recordLabels(
        { did, traitHashes: [] },
        isOnChain ? parse(document) : null,
      );
      const accounts = { minter: publisher, owner: publisher };
      const row = appRow(BigInt(id), { did, didHash: didHash(did), ...accounts, major, ...labels });
      return { ...row, pointer: isOnChain ? stranger : null };
    }),
  );
  await fill(rows);
  const own = cases.map(([, , did]) => [did, publisher] as const).filter(([did]) => isControlled(did));
  await attest(
    ...[...Object.entries(hosts), ...own].map(([did, controller]) => ({ didHash: didHash(did), controller })),
  );
  for (const [index, [, , , document]] of cases.entries()) {
    const [content, row] = [parse(document), rows[2 * index + 1]];
    if (content && row) await label(row, content, { keeps: true });
  }
});

describe("origin", () => {
  it.each(cases.map((given, index) => [...given, index] as const))(
    "is the same in the index and in a report: %s, %s",
    async (_, outcome, did, document, index) => {
      const results = await readResults(session, tokenIds(index));
      const checkDid = async (asked: { did: string; controller: string }) =>
        hosts[asked.did] === asked.controller;
      const controls = isControlled(did);
      const control = {
        outcome: controls ? "pass" : "fail",
        evidence: { accounts: [{ address: publisher, controls }] },
      } as unknown as VerificationReport["facts"]["control"];
      const fact = await originFact({
        ...{
          client: { checkDid } as unknown as AppRegistryClient,
          target: { did: normalizeDid(did) },
          control,
        },
        ...{ metadata: document ?? undefined, siteOf: getSite, blockNumber: 1n },
      });
      expect([fact.outcome, ...results.map(({ facts }) => facts?.origin)]).toEqual([
        outcome,
        outcome,
        outcome,
      ]);
    },
  );

  it("is unknown in the index for addresses that are too long to store", () => {
    const long = at(
      ...Array.from({ length: 20 }, (_, index) => `https://a.example/${index}${"x".repeat(1_000)}`),
    );
    expect(recordLabels({ did: "did:web:a.example", traitHashes: [] }, parse(long)).outsideHosts).toBeNull();
  });
});
