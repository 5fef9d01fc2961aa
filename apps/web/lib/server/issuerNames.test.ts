import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidEnvironmentError } from "@app-registry/server/environment";
import { afterAll, describe, expect, it } from "vitest";
import { readIssuerNames } from "./issuerNames.ts";

const folder = mkdtempSync(join(tmpdir(), "issuers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function read(content: unknown) {
  const file = join(folder, "issuers.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return readIssuerNames(file);
}

function refusal(content: unknown): string {
  try {
    read(content);
  } catch (error) {
    if (error instanceof InvalidEnvironmentError) return error.message;
    throw error;
  }
  throw new Error("was accepted");
}

describe("readIssuerNames", () => {
  it("returns no names without a file", () => expect(readIssuerNames(undefined).size).toBe(0));

  it("returns names by checksummed address", () => {
    const name = { name: " Example Notary ", url: "https://notary.example/", note: "Audits each host." };
    const names = read({ [address.toLowerCase()]: name });
    expect([...names]).toEqual([[address, { ...name, name: "Example Notary" }]]);
  });

  it.each([
    ["more than 80 characters", { name: "a".repeat(81) }],
    ["no characters", { name: " " }],
    ["a line break", { name: "Example\nVerified" }],
    ["a right-to-left override", { name: "Example\u202eyratoN" }],
    ["an isolate", { name: "Example\u2066" }],
    ["a zero-width space", { name: "Exa\u200bmple" }],
    ["half a character", { name: "Example\ud800" }],
    ["a script for a URL", { name: "Example", url: "javascript:alert(1)" }],
    ["a URL without encryption", { name: "Example", url: "http://notary.example" }],
    ["an unknown member", { name: "Example", logo: "x" }],
    ["a hidden note", { name: "Example", note: "\u202d" }],
  ])("rejects %s with the location", (_what, name) => {
    expect(refusal({ [address]: name })).toMatch(new RegExp(`ISSUERS_FILE .* is not valid: ${address}`));
  });

  it("rejects a mistyped or repeated address", () => {
    const mistyped = address.replace("C8", "c8");
    expect(refusal({ [mistyped]: { name: "Example" } })).toContain("checksum");
    const twice = { [address]: { name: "Example" }, [address.toLowerCase()]: { name: "Other" } };
    expect(refusal(twice)).toContain("is listed twice");
  });

  it("rejects a missing or invalid file", () => {
    expect(refusal("{")).toContain("is not JSON");
    expect(refusal([])).toContain("is not valid");
    expect(() => readIssuerNames(join(folder, "absent.json"))).toThrow(/can't be read/);
  });
});
