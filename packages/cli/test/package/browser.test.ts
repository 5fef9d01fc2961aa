import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

/** Bundles a built module for browsers, and returns the bundle's modules and text. Fails for Node.js built-ins. */
async function bundle(name: string, module: string): Promise<{ modules: string[]; text: string }> {
  const { folder } = inject("packed").find((one) => one.name === name) ?? {};
  const { metafile, outputFiles } = await build({
    // Place it beside the installed dependencies, which the unpacked tarball does not contain.
    entryPoints: [join(folder ?? "", "dist", module)],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    external: ["viem", "ethers"],
    logLevel: "silent",
  });
  return { modules: Object.keys(metafile.inputs), text: outputFiles[0]?.text ?? "" };
}

describe("a browser bundle", () => {
  // Beginning of compiled Solidity constructors, which the bytecode of a factory contains.
  const bytecode = /0x6[0-9a-f]{200}/;

  it.each([
    ["@app-registry/sdk", "src/index.js"],
    ["@app-registry/sdk", "src/abi/index.js"],
    ["@app-registry/outbound", "fill.js"],
  ])("of %s, %s, contains neither ethers, bytecode nor Node.js modules", async (name, module) => {
    const { modules, text } = await bundle(name, module);
    expect(
      modules.filter((path) => /ethers|undici|modelcontextprotocol|packages\/(issuer|cli)/.test(path)),
    ).toEqual([]);
    expect(text).not.toMatch(bytecode);
  });

  it("of @app-registry/sdk/ethers contains the factories with their bytecode", async () => {
    const { modules, text } = await bundle("@app-registry/sdk", "src/ethers/index.js");
    expect(modules.some((path) => path.includes("AppRegistry__factory"))).toBe(true);
    expect(text).toMatch(bytecode);
  });

  it.each(["@app-registry/outbound", "@app-registry/issuer"])(
    "of %s fails, because the package requires Node.js",
    async (name) => {
      await expect(bundle(name, "index.js")).rejects.toThrow(/node:/);
    },
  );
});
