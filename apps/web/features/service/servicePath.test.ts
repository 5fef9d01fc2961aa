import { describe, expect, it } from "vitest";
import { parseServicePath } from "./servicePath.ts";

describe("parseServicePath", () => {
  it("reads a DID with a port, encoded once or twice", () => {
    const expected = { kind: "latest", did: "did:web:localhost%3A3000" };
    expect(parseServicePath("/apps/did:web:localhost%3A3000")).toEqual(expected);
    expect(parseServicePath("/apps/did:web:localhost%253A3000")).toEqual(expected);
    expect(parseServicePath("/apps/did%3Aweb%3Alocalhost%253A3000")).toEqual(expected);
  });

  it("distinguishes a path segment of digits from a port", () => {
    expect(parseServicePath("/apps/did:web:localhost:3000")).toMatchObject({ did: "did:web:localhost:3000" });
  });

  it("reads a version with and without patch", () => {
    expect(parseServicePath("/apps/did:web:a.example/v/1.2.3")).toMatchObject({
      kind: "version",
      version: { did: "did:web:a.example", major: 1, minor: 2, patch: 3 },
    });
    expect(parseServicePath("/apps/did:web:a.example/v/1.2")).toMatchObject({ kind: "version" });
  });

  it("returns the reason a path contains no DID or no version", () => {
    expect(parseServicePath("/apps/example.com").kind).toBe("invalid");
    expect(parseServicePath("/apps/did:web:a.example/v/latest").kind).toBe("invalid");
  });
});
