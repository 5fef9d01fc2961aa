import { describe, expect, it } from "vitest";
import type { VersionOrder } from "../client/records.ts";
import { formatVersion, parseVersion } from "../version.ts";
import type { RegisteredRecord } from "./readRegisteredDid.ts";
import { interfacesConflict, nextVersions, versionConflict } from "./versionRules.ts";

interface State {
  latestMajor?: number;
  interfaces?: number;
  versionOrder?: VersionOrder;
  published?: string[];
}

function registered(
  version: string,
  {
    latestMajor = parseVersion(version).major,
    interfaces = 2,
    versionOrder = "rising",
    published = [],
  }: State = {},
) {
  const record: RegisteredRecord = {
    tokenId: 1n,
    version: parseVersion(version),
    status: 0,
    interfaces,
    dataUrl: "https://example.com/1.json",
    dataHash: "0x01",
    algorithm: 0,
    contractId: "",
    fungibleTokenId: "",
    hasTraits: true,
    versionOrder,
    published: published.map((text) => parseVersion(text)),
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
    const { record } = registered(version, { latestMajor });
    expect(nextVersions(record, latestMajor).map(formatVersion)).toEqual(next);
  });

  it.each([
    [
      "go on below a version from which nothing is left",
      "1.255.255",
      "open",
      ["1.0.0", "1.2.0", "1.255.255"],
    ],
    ["skip what was published", "1.2.0", "lowered", ["1.0.0", "1.2.0", "1.255.255", "1.2.1", "1.3.0"]],
  ] as const)("%s after a reclaim", (_, version, versionOrder, published) => {
    const { record } = registered(version, { versionOrder, published: [...published] });
    const next = nextVersions(record, 1).map(formatVersion);
    expect(next).toEqual(versionOrder === "open" ? ["1.2.1", "1.3.0", "2.0.0"] : ["1.2.2", "1.4.0", "2.0.0"]);
  });
});

describe("versionConflict", () => {
  it.each([
    ["a first version", "7.1.0", { latestMajor: undefined, record: undefined }],
    ["the next major", "2.0.0", { latestMajor: 1, record: undefined }],
    ["a skipped older major", "0.1.0", { latestMajor: 3, record: undefined }],
    ["a higher patch", "1.2.4", registered("1.2.3")],
    [
      "a lower version after a reclaim",
      "1.0.1",
      registered("1.255.255", { versionOrder: "open", published: ["1.0.0", "1.255.255"] }),
    ],
  ])("is none for %s", (_, version, state) => {
    expect(versionConflict(parseVersion(version), state)).toBeUndefined();
  });

  it("names the next major when one is skipped", () => {
    const state = { latestMajor: 1, record: undefined };
    expect(versionConflict(parseVersion("3.0.0"), state)).toContain("the next one is 2.0.0");
  });

  it.each(["1.2.3", "1.2.2", "1.1.9"])("names higher versions when %s is not above 1.2.3", (version) => {
    const conflict = versionConflict(parseVersion(version), registered("1.2.3"));
    expect(conflict).toContain(`${version} must be higher than the current version`);
    expect(conflict).toContain("1.2.4, 1.3.0, 2.0.0");
  });

  it("names the versions that are free when one was published before", () => {
    const published = ["1.0.0", "1.2.0", "1.255.255"];
    const conflict = versionConflict(
      parseVersion("1.2.0"),
      registered("1.255.255", { versionOrder: "open", published }),
    );
    expect(conflict).toContain("1.2.0 has already been published");
    expect(conflict).toContain("1.2.1, 1.3.0, 2.0.0");
  });

  it("allows only higher versions again once a lower one was published", () => {
    const lowered = registered("1.0.1", { versionOrder: "lowered", published: ["1.0.0", "1.5.0", "1.0.1"] });
    expect(versionConflict(parseVersion("1.0.2"), lowered)).toBeUndefined();
    expect(versionConflict(parseVersion("1.0.0"), lowered)).toContain("has already been published");
    expect(versionConflict(parseVersion("1.5.0"), lowered)).toContain("has already been published");
  });

  it("says that no version is left after the highest", () => {
    const conflict = versionConflict(parseVersion("255.255.255"), registered("255.255.255"));
    expect(conflict).toContain("No higher version is available");
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
