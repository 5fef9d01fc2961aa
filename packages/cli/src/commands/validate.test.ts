import { serveFiles } from "@app-registry/test-kit/httpServer";
import { runHere } from "@app-registry/test-kit/runHere";
import { restMetadata } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it } from "vitest";
import { runCli } from "../../test/runCli.ts";

async function validate(metadata: object, ...more: string[]) {
  const { files, origin } = await serveFiles();
  files.set("/metadata.json", JSON.stringify(metadata));
  return runHere(["validate", `${origin}/metadata.json`, ...more]);
}

describe("validate", () => {
  it("exits with 0 for a document that can be published", async () => {
    const { code, json } = await validate(restMetadata(), "--interfaces", "api");
    expect(json()).toEqual({ ok: true, interfaces: 2, problems: [] });
    expect(code).toBe(0);
  });

  it("lists every problem with its position, and exits with 1", async () => {
    const { code, json } = await validate({ name: "Maps" }, "--interfaces", "human,api");
    const pointers = (json().problems as { pointer: string }[]).map(({ pointer }) => pointer);
    expect(pointers).toEqual(expect.arrayContaining(["/description", "/traits", "/screenshotUrls"]));
    expect(code).toBe(1);
  });

  it("warns about fields that are probably misspelled but accepts them", async () => {
    const metadata = restMetadata("Weather", {
      desciption: "x",
      endpoint: { url: "https://a.b", shemaUrl: "x" },
    });
    const { code, json } = await validate(metadata, "--interfaces", "api");
    expect(json()).toMatchObject({
      ok: true,
      problems: [],
      warnings: [{ pointer: "/endpoint/shemaUrl", code: "unknown-field", suggestion: "schemaUrl" }],
    });
    expect(code).toBe(0);
    const { description: _, ...rest } = metadata;
    const { files, origin } = await serveFiles();
    files.set("/metadata.json", JSON.stringify(rest));
    const plain = await runCli(["validate", `${origin}/metadata.json`, "--interfaces", "api"]);
    expect(plain.stderr).toContain(
      '/desciption: "desciption" is not a known field. Did you mean "description"?',
    );
    expect(plain.stdout).toContain("/description");
    expect(plain.stdout).not.toContain("desciption");
  });

  it("checks the size limit of the chain, unless the document is stored off the chain", async () => {
    const metadata = restMetadata("Weather", { notes: "x".repeat(25_000) });
    const { code, json } = await validate(metadata, "--interfaces", "api");
    expect(json()).toMatchObject({ ok: false, problems: [{ pointer: "", code: "metadata-too-large" }] });
    expect(code).toBe(1);
    expect((await validate(metadata, "--interfaces", "api", "--no-on-chain-json")).code).toBe(0);
  });

  it("exits with 2 without interfaces or with unknown ones", async () => {
    expect((await validate(restMetadata())).code).toBe(2);
    expect((await validate(restMetadata(), "--interfaces", "robots")).code).toBe(2);
  });
});
