import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { rootDirectory } from "../stack/processes.ts";
import { replaceBlock } from "./replaceBlock.ts";

type Manifest = { name: string; dependencies?: Record<string, string> };

/** Returns the text of docs/architecture.md with the graph of the packages' dependencies. */
export async function renderArchitecturePage(): Promise<string> {
  const page = await readFile(join(rootDirectory, "docs/architecture.md"), "utf8");
  const files = globSync("{packages,apps}/*/package.json", { cwd: rootDirectory }).sort();
  const manifests = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(rootDirectory, file), "utf8")) as Manifest),
  );
  const toNode = (name: string) => name.replace("@app-registry/", "");
  const edges = manifests.flatMap(({ name, dependencies = {} }) =>
    Object.keys(dependencies)
      .filter((dependency) => manifests.some((one) => one.name === dependency))
      .map((dependency) => `  ${toNode(name)} --> ${toNode(dependency)}`),
  );
  return replaceBlock(page, "packages", `\`\`\`mermaid\ngraph TD\n${edges.join("\n")}\n\`\`\``);
}
