import { createTxtResolver, type ResolveTxt } from "@app-registry/outbound";
import { type DidWeb, parseDid } from "@app-registry/sdk";
import { nearly } from "@app-registry/test-kit/arbitraries";
import { type DnsServer, startDnsServer } from "@app-registry/test-kit/dnsServer";
import fc from "fast-check";
import { getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findWalletInTxt, formatTxtRecord, listTxtRecordNames } from "./checkDidWeb.ts";

const wallet = getAddress("0x70997970c51812dc3a010c7d01b50e0d17dc79c8");
const other = getAddress("0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc");
const name = "_controllers.example.com";
const record = formatTxtRecord(wallet, 66238);

let dns: DnsServer;
let resolveTxt: ResolveTxt;
beforeAll(async () => {
  dns = await startDnsServer();
  resolveTxt = createTxtResolver({ servers: [dns.address] });
});
afterAll(() => dns.close());

const find = (resolve: ResolveTxt = resolveTxt) =>
  findWalletInTxt({ name, wallet, chainId: 66238, resolveTxt: resolve });

describe("listTxtRecordNames", () => {
  it.each([
    ["did:web:example.com", ["_controllers.example.com", "_did.example.com"]],
    ["did:web:team.example.com", ["_controllers.team.example.com", "_did.team.example.com"]],
    ["did:web:bücher.example", ["_controllers.xn--bcher-kva.example", "_did.xn--bcher-kva.example"]],
    ["did:web:example.com%3A8443", []],
    ["did:web:example.com:team", []],
    ["did:web:localhost", []],
    ["did:web:a.localhost", []],
  ])("returns for %s: %s", (did, expected) => {
    expect(listTxtRecordNames(parseDid(did) as DidWeb)).toEqual(expected);
  });
});

describe("findWalletInTxt, with a real DNS server", () => {
  it("finds the record with the wallet among others", async () => {
    dns.put(name, ["v=spf1 -all"], [formatTxtRecord(other, 66238)], [record]);
    expect(await find()).toEqual({ found: true, name, record, chainId: 66238 });
  });

  it.each([
    ["several controllers", `v=1;controller=did:pkh:eip155:1:${other};controller=did:pkh:eip155:1:${wallet}`],
    ["spaces", ` controller=did:pkh:eip155:1:${wallet}  v=1 `],
    ["unknown fields", `${record};expires=2027;note`],
    ["no version, the whole record", `controller=did:pkh:eip155:66238:${wallet}`],
  ])("reads a record with %s", async (_, text) => {
    dns.put(name, [text]);
    expect(await find()).toMatchObject({ found: true });
  });

  it("joins the strings of a record and accepts a checksummed address", async () => {
    dns.put(name, ["v=1;controller=did:pkh:", `eip155:66238:${wallet}`]);
    expect(await find()).toMatchObject({ found: true });
  });

  it("prefers the record with the registry's chain", async () => {
    dns.put(name, [formatTxtRecord(wallet, 1)], [record]);
    expect(await find()).toMatchObject({ chainId: 66238 });
    dns.put(name, [formatTxtRecord(wallet, 1)]);
    expect(await find()).toMatchObject({ found: true, chainId: 1 });
  });

  it("reports the accounts in the records instead", async () => {
    dns.put(name, [formatTxtRecord(other, 1)], [formatTxtRecord(other, 10)]);
    expect(await find()).toEqual({
      found: false,
      name,
      reason: `lists ${other.toLowerCase()} instead`,
      unknown: false,
    });
  });

  it.each([
    ["another key", `owner=did:pkh:eip155:1:${wallet}`],
    ["an address without DID", `controller=${wallet}`],
    ["a did:web", "controller=did:web:example.com"],
    ["another namespace", `controller=did:pkh:cosmos:hub:${wallet}`],
    ["a mistyped checksum", `controller=did:pkh:eip155:1:${wallet.slice(0, -1)}9`],
    ["another version", record.replace("v=1", "v=2")],
    ["no version beside other fields", `${record.replace("v=1;", "")};note`],
    ["text behind the address", `${record}x`],
    ["nothing", ""],
  ])("rejects a record of %s", async (_, text) => {
    dns.put(name, [text]);
    expect(await find()).toMatchObject({ found: false, unknown: false });
  });

  it("returns unknown if the name server does not respond or is unreachable", async () => {
    const silent = await startDnsServer();
    silent.fallSilent();
    const slow = createTxtResolver({ servers: [silent.address], timeout: 300 });
    expect(await find(slow)).toMatchObject({ found: false, unknown: true });
    silent.close();
    expect(await find(slow)).toMatchObject({ found: false, unknown: true });
  });

  it("finds no wallet at a name that is too long for DNS", async () => {
    const long = `_did.${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
    const asked = findWalletInTxt({ name: long, wallet, chainId: 1, resolveTxt });
    expect(await asked).toMatchObject({
      found: false,
      reason: "the name is too long for DNS",
      unknown: false,
    });
  });
});

describe("findWalletInTxt, with random records", () => {
  it("never throws and finds a wallet only if a record contains it", async () => {
    const text = nearly(fc.constantFrom(record, formatTxtRecord(other, 1)), [
      "controller=",
      "did:",
      ":",
      "0x",
      " ",
      "0",
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text, { maxLength: 2 }), { maxLength: 4 }), async (records) => {
        const result = await find(async () => records);
        const isNamed = records.some((strings) =>
          strings.join("").toLowerCase().includes(wallet.slice(2).toLowerCase()),
        );
        if (result.found) expect(isNamed).toBe(true);
        expect(JSON.stringify(result)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});
