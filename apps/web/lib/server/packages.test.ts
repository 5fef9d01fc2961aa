import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readPackages } from "./packages.ts";

const publicUrl = "https://registry.example";

describe("readPackages", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "packages-"));
    vi.spyOn(process, "cwd").mockReturnValue(folder);
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  it("names no package before the first is packed", async () => {
    expect(await readPackages({ publicUrl, publishedVersion: undefined })).toEqual({});
  });

  it("returns the URLs of the packed files, or the published version that the operator names", async () => {
    await mkdir(join(folder, "public/packages"), { recursive: true });
    const list = {
      "@app-registry/mcp": { version: "0.1.0", file: "app-registry-mcp-0.1.0-ab.tgz", integrity: "" },
    };
    await writeFile(join(folder, "public/packages/index.json"), JSON.stringify(list));
    expect(await readPackages({ publicUrl, publishedVersion: undefined })).toEqual({
      mcp: "https://registry.example/packages/app-registry-mcp-0.1.0-ab.tgz",
    });
    expect((await readPackages({ publicUrl, publishedVersion: "1.2.0" })).cli).toBe(
      "@app-registry/cli@1.2.0",
    );
  });
});
