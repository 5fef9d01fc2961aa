import { describe, expect, it } from "vitest";
import { getReusableDataUrl } from "./dataUrl.ts";
import { PublicationConflictError } from "./errors/appRegistryError.ts";

describe("getReusableDataUrl", () => {
  const [oldHash, newHash] = [`0x${"01".repeat(32)}`, `0x${"02".repeat(32)}`] as const;
  const version = { major: 1, minor: 0, patch: 1 };

  it.each([
    ["https://example.com/metadata.json", newHash],
    ["https://example.com/api/data-url/did/v/1.0.0", oldHash],
    ["https://example.com/api/data-url/did/v/1.0.1", newHash],
    ["https://example.com/api/data-url/did/v/1.0", newHash],
    ["https://example.com/v/1.0.0.json", newHash],
  ])("returns %s", (dataUrl, dataHash) => {
    expect(getReusableDataUrl({ dataUrl, dataHash: oldHash }, { version, dataHash })).toBe(dataUrl);
  });

  it.each([
    "https://example.com/api/data-url/did/v/1.0.0",
    "https://example.com/api/data-url/did/v/1.0.0?x=1",
    "https://example.com/api/data-url/did/v/1.1",
  ])("rejects %s, which names another version", (dataUrl) => {
    const keep = () => getReusableDataUrl({ dataUrl, dataHash: oldHash }, { version, dataHash: newHash });
    expect(keep).toThrow(PublicationConflictError);
    expect(keep).toThrow("is for a different version than 1.0.1");
  });
});
