import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Returns the modules that a module imports statically, without types and `import()`. */
function listImports(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
  return [...statements].map(([, name = ""]) => name);
}

/** Returns the packages that the pages load, each with the module that imports it. */
function loadedPackages(): Map<string, string> {
  const packages = new Map<string, string>();
  const waiting = globSync("app/**/{page,layout,error,not-found}.tsx", { cwd: root }).map((file) =>
    join(root, file),
  );
  const met = new Set(waiting);
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    for (const name of listImports(file)) {
      if (!name.startsWith(".")) packages.set(name, file);
      const path = resolve(dirname(file), name);
      if (!name.startsWith(".") || met.has(path) || !/\.tsx?$/.test(path) || !existsSync(path)) continue;
      met.add(path);
      waiting.push(path);
    }
  }
  return packages;
}

describe("the pages' first load", () => {
  it("excludes the component library and the wallet from pages that only read", () => {
    const packages = loadedPackages();
    expect(packages.has("next/link")).toBe(true);
    for (const name of packages.keys()) {
      expect(name, packages.get(name)).not.toMatch(/^(@mantine|@rainbow-me|wagmi|@tanstack)\b/);
    }
  });
});
