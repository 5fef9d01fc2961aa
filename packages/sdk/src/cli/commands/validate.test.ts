import { describe, expect, it } from "vitest";
import { restMetadata } from "../../../test/chain/testRegistry.ts";
import { runHere } from "../../../test/cli/runHere.ts";
import { serveFiles } from "../../../test/httpServer.ts";

async function validate(metadata: object, ...more: string[]) {
  const { files, origin } = await serveFiles();
  files.set("/metadata.json", JSON.stringify(metadata));
  return runHere(["validate", `${origin}/metadata.json`, ...more]);
}

describe("validate", () => {
  it("ends with 0 for a document that may be published", async () => {
    const { code, json } = await validate(restMetadata(), "--interfaces", "api");
    expect(json()).toEqual({ ok: true, interfaces: 2, problems: [] });
    expect(code).toBe(0);
  });

  it("lists every problem with its place, and ends with 1", async () => {
    const { code, json } = await validate({ name: "Maps" }, "--interfaces", "human,api");
    const pointers = (json().problems as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/description", "/traits", "/screenshotUrls"]));
    expect(code).toBe(1);
  });

  it("holds a contract to its DID", async () => {
    const args = ["--interfaces", "contract", "--did", "did:web:example.com"];
    expect((await validate(restMetadata(), ...args)).json()).toMatchObject({
      problems: [{ code: "not-a-did-pkh" }],
    });
  });

  it("ends with 2 without interfaces, or with others than there are", async () => {
    expect((await validate(restMetadata())).code).toBe(2);
    expect((await validate(restMetadata(), "--interfaces", "robots")).code).toBe(2);
  });
});
