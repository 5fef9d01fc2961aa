import { describe, expect, it } from "vitest";
import didVectors from "../test/vectors/did.json" with { type: "json" };
import vectors from "../test/vectors/versioned-did.json" with { type: "json" };
import { appPath, dataUrlPath, parseDidPath, parseVersionedDidPath } from "./paths.ts";
import { parseVersion } from "./version.ts";

describe("links", () => {
  it.each(vectors.links)("are built for $did", ({ did, version, ...paths }) => {
    expect(appPath(did, parseVersion(version))).toBe(paths.appPath);
    expect(dataUrlPath(did, parseVersion(version))).toBe(paths.dataUrlPath);
  });

  it.each(didVectors.canonical)(
    "lead back to %s, through a URL and through a proxy that decodes once",
    (did) => {
      const path = appPath(did);
      expect(path.startsWith("/apps/")).toBe(true);
      expect(new URL(path, "https://registry.example").pathname).toBe(path);
      const rest = path.slice("/apps/".length);
      expect(parseDidPath(rest)).toBe(did);
      expect(parseDidPath(encodeURIComponent(did))).toBe(did);
      // A literal %25 can't be told from an encoded %, so such a DID stands in a path encoded only.
      if (!did.includes("%25")) expect(parseDidPath(did)).toBe(did);
    },
  );
});

describe("parseVersionedDidPath", () => {
  it.each(vectors.paths)("reads $raw", ({ raw, ...expected }) => {
    expect(parseVersionedDidPath(raw)).toEqual(expected);
  });

  it.each(vectors.refusedPaths)("refuses %j", (raw) => {
    expect(() => parseVersionedDidPath(raw)).toThrow(/^Invalid (DID|version): /);
  });
});
