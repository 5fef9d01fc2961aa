import { expect, it } from "vitest";
import { replacePublisherPath } from "./getPublisherPath.ts";

const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";

it.each([
  ["/by/example.com", "did:web:example.com"],
  ["/by/example.com:8443", "did:web:example.com%253A8443"],
  ["/by/example.com:8443/team/a/", "did:web:example.com%253A8443:team:a"],
  ["/by/example.com/a%2520b", "did:web:example.com:a%2520b"],
  ["/by/m%C3%BCnchen.de", "did:web:m%C3%BCnchen.de"],
  [`/by/eip155:31337:${contract}`, `did:pkh:eip155:31337:${contract}`],
])("%s leads to the list under %s", (path, under) => {
  expect(replacePublisherPath(path)).toBe(`/apps?status=any&under=${under}`);
});

it("leads to the list of all services if the old path is not percent-encoded text", () => {
  expect(replacePublisherPath("/by/%E0%A4%A")).toBe("/apps");
});
