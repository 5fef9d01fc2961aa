import { glob, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import * as importing from "../import/index.ts";
import * as sdk from "../index.ts";
import * as issuer from "../issuer/index.ts";
import { AppRegistryError } from "./appRegistryError.ts";

const docs = new URL("../../../../docs/", import.meta.url);

/** Every error class that the package exports. */
const classes = Object.values({ ...sdk, ...importing, ...issuer }).filter(
  (value): value is typeof AppRegistryError =>
    typeof value === "function" && (value === AppRegistryError || value.prototype instanceof Error),
);

/** The headings of a page as the anchors that lead to them. */
async function anchorsOf(page: string): Promise<string[]> {
  const text = await readFile(new URL(`${page}.md`, docs), "utf8");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

describe("the errors", () => {
  it.each(classes.map((type) => [type.name, type] as const))("%s is an AppRegistryError", (_, type) => {
    expect(type === AppRegistryError || type.prototype instanceof AppRegistryError).toBe(true);
  });

  it("point to documentation that is there", async () => {
    const sources = await sourceTexts();
    const paths = new Set(
      sources.flatMap((text) => [...text.matchAll(/docsPath: "\/([^"]+)"/g)].map(([, path]) => path)),
    );
    expect(paths.size).toBeGreaterThan(3);
    for (const path of paths) {
      const [page = "", anchor] = path?.split("#") ?? [];
      const anchors = await anchorsOf(page);
      if (anchor !== undefined) expect(anchors, `docs/${page}.md#${anchor}`).toContain(anchor);
    }
  });
});

async function sourceTexts(): Promise<string[]> {
  const texts: string[] = [];
  for await (const path of glob("src/**/*.ts", { cwd: new URL("../../", import.meta.url) })) {
    texts.push(await readFile(new URL(`../../${path}`, import.meta.url), "utf8"));
  }
  return texts;
}
