import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@app-registry/server/environment";
import { z } from "zod";

const listSchema = z.record(z.string(), z.object({ file: z.string() }));

/** Package names or URLs, as `npx` and `npm install` take them, by the package's name without its scope. */
export type PackageSpecifiers = Partial<Record<"cli" | "mcp" | "sdk", string>>;

/**
 * Returns what commands install: the files that this server's build packed, or the published version that the operator
 * names. Empty while a development server packs them, because nobody must install a package that others may hold.
 */
export async function readPackages({
  publicUrl,
  publishedVersion,
}: Pick<Environment, "publicUrl" | "publishedVersion">): Promise<PackageSpecifiers> {
  if (publishedVersion !== undefined) {
    const published = (name: string) => `@app-registry/${name}@${publishedVersion}`;
    return { cli: published("cli"), mcp: published("mcp"), sdk: published("sdk") };
  }
  const file = join(/* turbopackIgnore: true */ process.cwd(), "public/packages/index.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const packed = Object.entries(listSchema.parse(JSON.parse(text)));
  return Object.fromEntries(
    packed.map(([name, entry]) => [name.replace(/^.*\//, ""), `${publicUrl}/packages/${entry.file}`]),
  );
}
