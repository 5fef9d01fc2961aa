import { nearly, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import didVectors from "../test/vectors/did.json" with { type: "json" };
import vectors from "../test/vectors/versioned-did.json" with { type: "json" };
import { InvalidDidError } from "./did.ts";
import { appPath, dataUrlPath, parseDidPath, parseVersionedDidPath } from "./paths.ts";
import { InvalidVersionError, parseVersion } from "./version.ts";

describe("links", () => {
  it.each(vectors.links)("are built for $did", ({ did, version, ...paths }) => {
    expect(appPath(did, parseVersion(version))).toBe(paths.appPath);
    expect(dataUrlPath(did, parseVersion(version))).toBe(paths.dataUrlPath);
  });

  it.each(didVectors.canonical)(
    "are parsed to %s, through a URL and through a proxy that decodes once",
    (did) => {
      const path = appPath(did);
      expect(path.startsWith("/apps/")).toBe(true);
      expect(new URL(path, "https://registry.example").pathname).toBe(path);
      const rest = path.slice("/apps/".length);
      expect(parseDidPath(rest)).toBe(did);
      expect(parseDidPath(encodeURIComponent(did))).toBe(did);
      // A literal %25 looks like an encoded %, so a DID that contains it must be encoded in a path.
      if (!did.includes("%25")) expect(parseDidPath(did)).toBe(did);
    },
  );
});

describe("parseVersionedDidPath", () => {
  it.each(vectors.paths)("reads $raw", ({ raw, ...expected }) => {
    expect(parseVersionedDidPath(raw)).toEqual(expected);
  });

  it.each(vectors.refusedPaths)("rejects %j", (raw) => {
    expect(() => parseVersionedDidPath(raw)).toThrow(/^Invalid (DID|version): /);
  });
});

describe("parseDidPath and parseVersionedDidPath, for any path", () => {
  const pieces = ["%25", "%2F", "%3A", "%", "/v/", "/", ":", "1.0", "did%3A"];
  const known = fc.constantFrom(...vectors.paths.map(({ raw }) => raw), ...vectors.refusedPaths);
  const dids = fc.constantFrom(...didVectors.canonical);
  const path = nearly(fc.oneof(known, dids, dids.map(encodeURIComponent)), pieces);

  it("throw only their own errors, and parse the links of their results to the same DID", () => {
    fc.assert(
      fc.property(path, (raw) => {
        const did = unlessRefused(() => parseDidPath(raw), InvalidDidError);
        if (did !== undefined) expect(parseDidPath(appPath(did).slice("/apps/".length))).toBe(did);
        const read = unlessRefused(() => parseVersionedDidPath(raw), InvalidDidError, InvalidVersionError);
        if (read === undefined) return;
        const { patch = 0, ...rest } = read;
        const link = dataUrlPath(rest.did, { ...rest, patch });
        expect(parseVersionedDidPath(link.slice("/api/data-url/".length))).toEqual({ ...rest, patch });
      }),
    );
  });
});
