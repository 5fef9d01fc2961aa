import { createServer } from "node:http";
import { dataHash, HashAlgorithm } from "@app-registry/sdk";
import { listen } from "@app-registry/test-kit/listen";
import { afterAll, describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { checkServedDocument } from "./recordedDocument.ts";

const served: Record<string, string> = {
  "/same.json": '{ "b": 1, "a": [] }',
  "/other.json": '{"a":[],"b":2}',
  "/broken.json": '{"a":1,"a":2}',
};
const server = createServer(({ url = "" }, response) => {
  const text = served[url];
  response.writeHead(text === undefined ? 404 : 200, { "content-type": "application/json" }).end(text);
});
const { origin, close } = await listen(server);
afterAll(close);

const guardedFetch = createGuardedFetch({ allowLoopback: true });
const canonical = '{"a":[],"b":1}';

describe.each(Object.entries(HashAlgorithm))("checkServedDocument with %s", (_, dataHashAlgorithm) => {
  const check = (path: string) =>
    checkServedDocument({
      guardedFetch,
      dataUrl: origin + path,
      dataHash: dataHash(canonical, dataHashAlgorithm),
      dataHashAlgorithm,
    });

  it("accepts another layout of the same JSON", async () => {
    expect(await check("/same.json")).toEqual({ ok: true });
  });

  it("returns the dataHash of a different JSON", async () => {
    const found = dataHash(served["/other.json"] ?? "", dataHashAlgorithm);
    expect(await check("/other.json")).toEqual({
      ok: false,
      dataHash: found,
      reason: expect.stringContaining(found),
    });
  });

  it.each([
    ["/broken.json", "/broken.json"],
    ["/missing.json", "404"],
  ])("reports the reason for no hash of %s", async (path, reason) => {
    expect(await check(path)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});
