import { readEnvironment } from "@app-registry/server/environment";
import { describe, expect, it } from "vitest";
import { localDidDocument } from "./serverRoutes.ts";

const DATABASE_URL = "postgresql://localhost/registry";
const local = {
  environment: readEnvironment({
    DATABASE_URL,
    ALLOW_LOOPBACK_DIDS: "true",
    PUBLIC_URL: "http://localhost:3000",
  }),
};

describe("localDidDocument", () => {
  it.each([
    ["/.well-known/did.json", "localhost:3001", "did:web:localhost%3A3001"],
    ["/team/one/did.json", "localhost:3001", "did:web:localhost%3A3001:team:one"],
    ["/a%20b/did.json", "localhost", "did:web:localhost:a%20b"],
    ["/.well-known/did.json", null, "did:web:localhost%3A3000"],
  ])("returns the document of %s at %s", (pathname, host, id) => {
    const document = localDidDocument(pathname, host, local);
    expect(document).toMatchObject({ id });
    expect(JSON.stringify(document)).toContain("eip155:31337:0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
  });

  it.each(["/did.json", "/a%2Fb/did.json", "/../did.json"])("throws for %s", (pathname) => {
    expect(() => localDidDocument(pathname, "localhost", local)).toThrow();
  });

  it("throws where loopback DIDs are not allowed", () => {
    const remote = { environment: readEnvironment({ DATABASE_URL }) };
    expect(() => localDidDocument("/.well-known/did.json", "localhost", remote)).toThrow(
      /DID document not found/,
    );
  });
});
