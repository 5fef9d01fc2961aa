import { describe, expect, it } from "vitest";
import { formatVersion, parseVersion } from "../version.ts";
import type { RegisteredRecord } from "./readRegistered.ts";
import { interfacesConflict, nextVersions, versionConflict } from "./versionRules.ts";

function registered(version: string, { latestMajor = parseVersion(version).major, interfaces = 2 } = {}) {
  const record: RegisteredRecord = {
    tokenId: 1n,
    version: parseVersion(version),
    interfaces,
    dataUrl: "https://example.com/1.json",
    dataHash: "0x01",
    algorithm: 0,
    contractId: "",
    fungibleTokenId: "",
    hasTraits: true,
  };
  return { latestMajor, record };
}

describe("nextVersions", () => {
  it.each([
    ["1.2.3", 1, ["1.2.4", "1.3.0", "2.0.0"]],
    ["1.2.3", 4, ["1.2.4", "1.3.0", "5.0.0"]],
    ["1.2.255", 1, ["1.3.0", "2.0.0"]],
    ["255.255.255", 255, []],
  ])("of %s with latest major %i are %j", (version, latestMajor, next) => {
    expect(nextVersions(parseVersion(version), latestMajor).map(formatVersion)).toEqual(next);
  });
});

describe("versionConflict", () => {
  it.each([
    ["a first version", "7.1.0", { latestMajor: undefined, record: undefined }],
    ["the next major", "2.0.0", { latestMajor: 1, record: undefined }],
    ["a skipped older major", "0.1.0", { latestMajor: 3, record: undefined }],
    ["a higher patch", "1.2.4", registered("1.2.3")],
  ])("is none for %s", (_, version, state) => {
    expect(versionConflict(parseVersion(version), state)).toBeUndefined();
  });

  it("names the next major when one is skipped", () => {
    const state = { latestMajor: 1, record: undefined };
    expect(versionConflict(parseVersion("3.0.0"), state)).toContain("the next one is 2.0.0");
  });

  it.each(["1.2.3", "1.2.2", "1.1.9"])("names higher versions when %s is not above 1.2.3", (version) => {
    const conflict = versionConflict(parseVersion(version), registered("1.2.3"));
    expect(conflict).toContain(`${version} is not above it`);
    expect(conflict).toContain("1.2.4, 1.3.0, 2.0.0");
  });

  it("says that no version is left after the highest", () => {
    const conflict = versionConflict(parseVersion("255.255.255"), registered("255.255.255"));
    expect(conflict).toContain("No higher version is left");
  });
});

describe("interfacesConflict", () => {
  it("is none for the same ones, and for one more with a higher minor", () => {
    expect(interfacesConflict(2, parseVersion("1.2.4"), registered("1.2.3"))).toBeUndefined();
    expect(interfacesConflict(3, parseVersion("1.3.0"), registered("1.2.3"))).toBeUndefined();
  });

  it("asks for a higher minor when one is added, and for a new major when one is removed", () => {
    expect(interfacesConflict(3, parseVersion("1.2.4"), registered("1.2.3"))).toContain("1.3.0");
    const both = registered("1.2.3", { interfaces: 3 });
    expect(interfacesConflict(2, parseVersion("1.3.0"), both)).toContain("publish 2.0.0");
  });
});
