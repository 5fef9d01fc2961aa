import { beforeAll, describe, expect, it } from "vitest";
import { verifyRoutes } from "../control/controlRoutes.ts";
import { provideRegistry } from "../test/registryFixture.ts";
import { limitedApi } from "../test/serve.ts";
import { verifyBatch, verifyResponseSchema } from "./verifyBatch.ts";

const fixture = provideRegistry();
let did: string;
beforeAll(async () => {
  ({ did } = await fixture.register());
});

const createVerifyApi = () => limitedApi(verifyRoutes, fixture.registry, { readClient: 60 });

const post = (body: unknown, api = createVerifyApi()) =>
  api.request("http://localhost/api/verify", {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://other.example" },
    body: JSON.stringify(body),
  });

describe("POST /api/verify", () => {
  it("reports on each DID in order, with a separate problem for each that fails", async () => {
    const bad = ["nonsense", "did:web:127.0.0.1", `${did}/v/one`, `${did}/v/1.0.999`];
    const first = [bad[0], did, bad[1], `${did}/v/1.0.0`];
    const dids = [...first, bad[2], "did:web:nobody.example", did, bad[3]];
    const response = await post({ dids });
    expect(response.status).toBe(200);
    const { results } = verifyResponseSchema.parse(await response.json());
    expect(
      results.map((result) =>
        "report" in result
          ? [result.did, result.report.facts.record.outcome]
          : [result.did, result.problem.code],
      ),
    ).toEqual([
      [bad[0], "invalid-subject"],
      [did, "pass"],
      [bad[1], "invalid-did"],
      [`${did}/v/1.0.0`, "pass"],
      [bad[2], "invalid-version"],
      ["did:web:nobody.example", "fail"],
      [did, "pass"],
      [bad[3], "invalid-version"],
    ]);
  });

  it.each([
    ["no DID", { dids: [] }],
    ["51 DIDs", { dids: Array.from({ length: 51 }, () => "did:web:a.example") }],
    ["a DID that is not a text", { dids: [1] }],
    ["unknown members", { dids: ["did:web:a.example"], again: true }],
  ])("rejects %s", async (_what, body) => {
    const response = await post(body);
    expect([response.status, (await response.json()).code]).toEqual([400, "invalid-request"]);
  });

  it("accepts requests from every site", async () => {
    const response = await post({ dids: ["nonsense"] });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await createVerifyApi().request("/api/verify", { method: "OPTIONS" });
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("content-type");
  });

  it("counts one read per DID", async () => {
    const api = createVerifyApi();
    const first = await post({ dids: Array(50).fill("nonsense") }, api);
    expect([first.status, first.headers.get("ratelimit")]).toEqual([
      200,
      expect.stringMatching(/^"read-client";r=10;t=\d+$/),
    ]);
    const second = await post({ dids: Array(11).fill("nonsense") }, api);
    expect(second.status).toBe(429);
  });

  it("marks DIDs that it had no time for as retryable", async () => {
    const [result] = await verifyBatch(fixture.registry, [did], 0);
    expect(result).toMatchObject({ did, problem: { code: "timeout", status: 504, retryable: true } });
  });
});
