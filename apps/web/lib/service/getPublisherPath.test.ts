import { describe, expect, it } from "vitest";
import { getPublisherPath, parsePublisherPath } from "./getPublisherPath.ts";

const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

describe("the path of a publisher's page", () => {
  it.each([
    ["did:web:example.com", "/by/example.com"],
    ["did:web:example.com%3A8443", "/by/example.com:8443"],
    ["did:web:example.com:team:a", "/by/example.com/team/a"],
    ["did:web:example.com%3A8443:team", "/by/example.com:8443/team"],
    ["did:web:example.com:a%20b", "/by/example.com/a%2520b"],
    ["did:web:xn--mnchen-3ya.de", "/by/xn--mnchen-3ya.de"],
    [`did:pkh:eip155:31337:${contract}`, "/by/eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3"],
  ])("for %s is %s and parses to the same DID", (did, path) => {
    expect(getPublisherPath(did)).toBe(path);
    expect(parsePublisherPath(path)).toEqual({ ok: true, did, path });
  });

  it.each([
    ["/by/Example.COM.", "/by/example.com"],
    ["/by/example.com/", "/by/example.com"],
    ["/by/example.com:443", "/by/example.com"],
    ["/by/m%C3%BCnchen.de", "/by/xn--mnchen-3ya.de"],
    ["/by/%D1%80%D0%B0%D1%83%D1%80%D0%B0l.com/x", "/by/xn--l-7sba6dbr.com/x"],
    [`/by/EIP155:31337:${contract}`, "/by/eip155:31337:0x5FbDB2315678afecb367f032d93F642f64180aa3"],
  ])("normalizes %s to %s", (typed, path) => {
    expect(parsePublisherPath(typed)).toMatchObject({ ok: true, path });
  });

  it.each([
    ["another host behind an @", "/by/example.com@evil.example"],
    ["an IP address", "/by/127.0.0.1"],
    ["a parent directory", "/by/example.com/..%2f.."],
    ["a bidirectional override", "/by/example%E2%80%AEcom.evil"],
    ["broken percent-encoding", "/by/%E0%A4%A"],
    ["a query in the host", "/by/example.com%3Fq"],
    ["no name", "/by/"],
    ["an account that is no contract's name", "/by/eip155:1:0x12"],
  ])("is rejected if it has %s", (_what, path) => {
    const parsed = parsePublisherPath(path);
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(/\.$/) });
  });
});
