import { getDidSite } from "@app-registry/index/document/keys";
import { parseDocument } from "@app-registry/index/document/parseDocument";
import { recordLabels } from "@app-registry/index/document/recordLabels";
import { lookUp } from "@app-registry/index/lookup";
import { didHash, parseSubject } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import * as schema from "../ponder.schema.ts";
import { appRow, attest, db, explain, fill, label, session } from "./harness/database.ts";

const [publisher, stranger] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`] as const;
const contract = "0x6b175474e89094c44da98b954eedeac495271d0f";

type Given = {
  did: string;
  urls?: string[];
  minter?: `0x${string}`;
  major?: number;
  status?: number;
  controlled?: boolean;
  document?: object;
  offchain?: boolean;
};

/** Records, by the digits of their token id. */
const records: Record<number, Given> = {
  1: { did: "did:web:acme.example", urls: ["https://mcp.acme.example/mcp", "https://acme.example/A?b=1"] },
  // A stranger lists the same addresses.
  2: { did: "did:web:stranger.example", urls: ["https://mcp.acme.example/mcp"], minter: stranger },
  // A tenant of a shared host, and the host's other tenant.
  3: { did: "did:web:shared.example:alice", urls: ["https://shared.example/alice/mcp"] },
  4: { did: "did:web:shared.example:eve", urls: ["https://shared.example/alice/mcp"], minter: stranger },
  5: { did: "did:web:late.example", urls: ["https://late.example/mcp"], controlled: false },
  6: { did: "did:web:acme.example", urls: ["https://mcp.acme.example/mcp"], major: 2 },
  // The same account controls another host.
  7: { did: "did:web:other.example", urls: ["https://elsewhere.example/mcp"] },
  8: { did: "did:web:elsewhere.example" },
  9: { did: `did:pkh:eip155:1:${contract}`, minter: stranger },
  10: {
    did: "did:web:paid.example",
    document: {
      payments: [{ type: "x402", chains: ["eip155:8453"], payTo: publisher.toUpperCase().replace("X", "x") }],
    },
  },
  11: {
    did: "did:web:thief.example",
    minter: stranger,
    document: { payments: [{ type: "x402", chains: ["eip155:8453"], payTo: publisher }] },
  },
  12: { did: "did:web:port.example%3A8443", urls: ["https://port.example:8443/mcp"] },
  13: { did: "did:web:offchain.example", urls: ["https://offchain.example/mcp"], offchain: true },
  14: { did: "did:web:alice.github.io", urls: ["https://alice.github.io/mcp"] },
  15: { did: "did:web:xn--bcher-kva.example", urls: ["https://bücher.example/mcp"] },
  16: { did: "did:web:com.acme:mcp", urls: ["https://com.acme/else"], minter: stranger },
  17: { did: "did:web:local.example%3A3000:rest" },
  18: { did: "did:web:claims.example", urls: ["https://local.example:3000/rest"], minter: stranger },
};

beforeAll(async () => {
  await db.execute(sql`create index on app using gin (addresses)`);
  const rows = Object.entries(records).map(([tokenId, given]) => {
    const { did, urls = [], minter = publisher, major = 1, status = 0, document, offchain } = given;
    const metadata = {
      ...{ name: "Service", description: "A service.", publisher: "Acme" },
      endpoints: urls.map((endpoint) => ({ name: "MCP", endpoint })),
      ...document,
    };
    const content = parseDocument(Buffer.from(JSON.stringify(metadata)));
    const record = { did, traitHashes: [] };
    const hash = didHash(did);
    const { name: _, ...labels } = recordLabels(record, offchain ? null : content);
    return {
      row: {
        ...appRow(BigInt(tokenId), { did, didHash: hash, minter, owner: minter, major, status, ...labels }),
        pointer: offchain ? null : stranger,
      },
      content,
    };
  });
  await fill(rows.map(({ row }) => row));
  await attest(
    ...rows.flatMap(({ row }) =>
      records[Number(row.tokenId)]?.controlled !== false && row.major === 1 ? row : [],
    ),
  );
  for (const { row, content } of rows) if (row.pointer === null) await label(row, content, { keeps: true });
});

async function ask(subject: string) {
  const { exact, claimed, near } = await lookUp(session, parseSubject(subject), 1);
  const listed = (matches: typeof exact) =>
    matches.map(({ service }) => Number(service.tokenId)).sort((a, b) => a - b);
  return { exact: listed(exact), claimed: listed(claimed), near: listed(near) };
}

// @threat services: An address, domain or account that passes for another service's
describe("lookUp", () => {
  it.each([
    ["the registered address", "https://mcp.acme.example/mcp", [1, 6], [2], []],
    ["other capitals, port and slash", "HTTPS://MCP.Acme.example:443/mcp/", [1, 6], [2], []],
    ["a fragment", "https://mcp.acme.example/mcp#x", [1, 6], [2], []],
    ["without scheme", "mcp.acme.example/mcp", [1, 6], [2], []],
    ["another path of the host", "https://mcp.acme.example/other", [], [], [1, 6]],
    ["another scheme", "http://mcp.acme.example/mcp", [], [], [1, 6]],
    ["another port", "https://mcp.acme.example:8443/mcp", [], [], [1, 6]],
    ["another case of the path", "https://mcp.acme.example/MCP", [], [], [1, 6]],
    ["an encoded letter", "https://mcp.acme.example/%6dcp", [], [], [1, 6]],
    ["two slashes", "https://mcp.acme.example/mcp//", [], [], [1, 6]],
    ["another query", "https://acme.example/A?b=2", [], [], [1, 6]],
    ["the query", "https://acme.example/A?b=1", [1], [], []],
    ["a subdomain that nobody names", "https://x.acme.example/mcp", [], [], [1, 6]],
    ["a look-alike", "https://mcp.acme.example.attacker.example/mcp", [], [], []],
    ["a look-alike letter", "https://mcp.аcme.example/mcp", [], [], []],
    ["a user name", "https://mcp.acme.example%2Fmcp@attacker.example/mcp", "error", [], []],
    ["a tenant's address", "https://shared.example/alice/mcp", [3], [4], []],
    ["a tenant's host", "shared.example", [], [], [3, 4]],
    ["another tenant's parent path", "https://shared.example/eve/../alice/mcp", [3], [4], []],
    ["an encoded parent path", "https://shared.example/alice/%2e%2e%2feve", [], [], [3, 4]],
    ["an address that its DID proves while nobody controls it", "https://late.example/mcp", [], [5], []],
    ["a host that the same account controls", "https://elsewhere.example/mcp", [7], [], []],
    ["a domain", "acme.example", [1, 6], [], []],
    ["a domain with its port", "port.example:8443", [12], [], []],
    ["a domain with another port", "port.example:9000", [], [], [12]],
    ["a domain without a record of its own", "offchain.example:81", [], [], [13]],
    ["a document that is only at its host", "https://offchain.example/mcp", [13], [], []],
    ["another tenant of a public suffix", "https://eve.github.io/mcp", [], [], []],
    ["a public suffix", "github.io", [], [], []],
    ["an international name", "https://bücher.example/mcp", [15], [], []],
    ["an international name in ASCII", "xn--bcher-kva.example/mcp", [15], [], []],
    ["a host with the path of a DID", "com.acme/mcp", [16], [], []],
    ["a host and port with the path of a DID", "local.example:3000/rest", [17], [18], []],
    ["the path of a DID with another scheme", "http://local.example:3000/rest", [], [], [17]],
    ["the path of a DID with a query", "https://local.example:3000/rest?a=1", [], [], [17]],
    ["a name in the MCP registry's form", "com.acme/other", [], [], [16]],
    ["a contract", `eip155:1:${contract}`, [9], [], []],
    ["a contract without its chain", contract, [9], [], []],
    ["a contract on another chain", `eip155:10:${contract}`, [], [], []],
    ["the recipient of payments", `eip155:8453:${publisher}`, [10], [11], []],
    ["the recipient without its chain", publisher, [10], [11], []],
    ["the recipient on another chain", `eip155:1:${publisher}`, [], [], []],
    ["a DID", "did:web:acme.example", [1, 6], [], []],
    ["a token", "#2", [2], [], []],
    ["a token that doesn't exist", "#99", [], [], []],
    ["an address of nobody", "https://nobody.example/", [], [], []],
  ] as const)("answers %s", async (_what, subject, exact, claimed, near) => {
    if (exact === "error") {
      await expect(ask(subject)).rejects.toThrow("user name");
      return;
    }
    expect(await ask(subject)).toEqual({ exact, claimed, near });
  });

  it("gives the use, and the reason of a claim", async () => {
    const { exact, claimed } = await lookUp(session, parseSubject("https://mcp.acme.example/mcp"), 1);
    expect(exact[0]).toMatchObject({ uses: ["endpoint"], service: { did: "did:web:acme.example" } });
    expect(claimed).toMatchObject([{ uses: ["endpoint"], reason: "Its DID doesn't prove this address." }]);
  });

  // @threat services: An address, domain or account that passes for another service's
  it.each([
    ["strangers", "https://mcp.acme.example/mcp", [1, 6], (n: number) => `did:web:claim-${n}.example`],
    [
      "paths of the same host",
      "https://shared.example/alice/mcp",
      [3],
      (n: number) => `did:web:shared.example:claim-${n}`,
    ],
    [
      "ports of the same host",
      "https://shared.example/alice/mcp",
      [3],
      (n: number) => `did:web:shared.example%3A${8_000 + n}:a`,
    ],
    [
      "paths of the same site",
      "https://mcp.acme.example/mcp",
      [1, 6],
      (n: number) => `did:web:mcp.acme.example:claim-${n}`,
    ],
    [
      "paths above the same host's account",
      "https://elsewhere.example/mcp",
      [7],
      (n: number) => `did:web:elsewhere.example:claim-${n}`,
    ],
  ])("finds the service that proves an address behind 200 claims of %s", async (_of, url, proving, toDid) => {
    const claims = Array.from({ length: 200 }, (_, index) => {
      const did = toDid(index);
      const site = getDidSite(did);
      return appRow(BigInt(1_000 + index), {
        did,
        site,
        didHash: didHash(did),
        addresses: [`endpoint ${url}`],
      });
    });
    const before = await db.select().from(schema.app);
    await fill([...before, ...claims] as never);
    const { exact, claimed } = await ask(url);
    expect(exact).toEqual(proving);
    expect(claimed.length).toBeGreaterThan(15);
    await fill(before as never);
  });

  it("reads no whole table", async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => appRow(BigInt(2_000 + index)));
    const before = await db.select().from(schema.app);
    await fill([...before, ...many] as never);
    await db.execute(sql`create index on app (site, token_id)`);
    await db.execute(sql`create index on app (did collate "C", token_id)`);
    await db.execute(sql`analyze app`);
    for (const subject of ["https://mcp.acme.example/mcp", "acme.example", publisher, "#1"]) {
      const plans = await explain(() => lookUp(session, parseSubject(subject), 1));
      expect(plans.filter((plan) => plan.includes("Seq Scan on app"))).toEqual([]);
    }
  });
});
