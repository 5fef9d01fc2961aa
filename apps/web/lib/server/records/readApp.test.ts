import { describe, expect, it } from "vitest";
import { provideRegistry, wallet } from "../test/registryFixture.ts";
import { serve } from "../test/serve.ts";
import { appResponseSchema, readApp } from "./readApp.ts";

const fixture = provideRegistry();

describe("GET /api/apps", () => {
  const get = async (path: string) => {
    const response = await serve(async (request) => Response.json(await readApp(request, fixture.registry)))(
      new Request(`http://localhost/api/apps/${path}`),
    );
    return { status: response.status, body: await response.json() };
  };

  it("returns the record, the metadata and a verification report", async () => {
    const { did, canonical, dataHash } = await fixture.register();
    const { body } = await get(did);
    expect(appResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      did,
      owner: wallet.address,
      record: { version: "1.0.0", dataHash, current: true },
      metadata: JSON.parse(canonical),
      metadataProblem: null,
      verification: {
        version: "1.0.0",
        facts: { control: { outcome: "pass" }, content: { outcome: "pass" } },
      },
    });
    expect((await get(`${did}/v/1.0`)).body).toMatchObject({ record: { version: "1.0.0" } });
  });

  it("returns no metadata that differs from the recorded document", async () => {
    const { did } = await fixture.register({ onChain: false, served: '{"name":"Another"}' });
    expect((await get(did)).body).toMatchObject({
      metadata: null,
      metadataProblem: { code: "hash-mismatch" },
      verification: { facts: { content: { outcome: "fail" } } },
    });
  });

  it("returns 404 for a DID that is not registered", async () => {
    expect(await get("did:web:nobody.example")).toMatchObject({
      status: 404,
      body: { code: "app-not-found" },
    });
  });
});
