import { glob, readFile } from "node:fs/promises";
import * as issuer from "@app-registry/issuer";
import * as outbound from "@app-registry/outbound";
import * as sdk from "@app-registry/sdk";
import { AppRegistryError } from "@app-registry/sdk";
import { describe, expect, it } from "vitest";

const packages = new URL("../../", import.meta.url);
const docs = new URL("../docs/", packages);

/** All exported error classes of the packages. */
const classes = Object.values({ ...sdk, ...outbound, ...issuer }).filter(
  (value): value is typeof AppRegistryError =>
    typeof value === "function" && (value === AppRegistryError || value.prototype instanceof Error),
);

async function listAnchors(page: string): Promise<string[]> {
  const text = await readFile(new URL(`${page}.md`, docs), "utf8");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

describe("the error classes", () => {
  it.each(classes.map((type) => [type.name, type] as const))("%s is an AppRegistryError", (_, type) => {
    expect(type === AppRegistryError || type.prototype instanceof AppRegistryError).toBe(true);
  });

  it("link to existing documentation", async () => {
    const sources = await sourceTexts();
    const paths = new Set(
      sources.flatMap((text) => [...text.matchAll(/docsPath: "\/([^"]+)"/g)].map(([, path]) => path)),
    );
    expect(paths.size).toBeGreaterThan(3);
    for (const path of paths) {
      const [page = "", anchor] = path?.split("#") ?? [];
      const anchors = await listAnchors(page);
      if (anchor !== undefined) expect(anchors, `docs/${page}.md#${anchor}`).toContain(anchor);
    }
  });
});

async function sourceTexts(): Promise<string[]> {
  const texts: string[] = [];
  for await (const path of glob("*/src/**/*.ts", { cwd: packages })) {
    texts.push(await readFile(new URL(path, packages), "utf8"));
  }
  return texts;
}
