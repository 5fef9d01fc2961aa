import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

/** The modules of a browser bundle of a package's built module, and its text. Node built-ins make it fail. */
async function bundle(name: string, module: string): Promise<{ modules: string[]; text: string }> {
  const { folder } = inject("packed").find((one) => one.name === name) ?? {};
  const { metafile, outputFiles } = await build({
    // Beside the installed dependencies, which the unpacked tarball does not have.
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
  // What a constructor of Solidity compiles to: it would stand in a factory's bytecode.
  const bytecode = /0x6[0-9a-f]{200}/;

  it.each([
    ["@app-registry/sdk", "src/index.js"],
    ["@app-registry/sdk", "src/abi/index.js"],
    ["@app-registry/outbound", "fill.js"],
  ])("of %s, %s, holds neither ethers nor bytecode nor Node's modules", async (name, module) => {
    const { modules, text } = await bundle(name, module);
    expect(
      modules.filter((path) => /ethers|undici|modelcontextprotocol|packages\/(issuer|cli)/.test(path)),
    ).toEqual([]);
    expect(text).not.toMatch(bytecode);
  });

  it("of @app-registry/sdk/ethers does hold the factories with their bytecode", async () => {
    const { modules, text } = await bundle("@app-registry/sdk", "src/ethers/index.js");
    expect(modules.some((path) => path.includes("AppRegistry__factory"))).toBe(true);
    expect(text).toMatch(bytecode);
  });

  it.each(["@app-registry/outbound", "@app-registry/issuer"])(
    "of %s is refused: it needs Node",
    async (name) => {
      await expect(bundle(name, "index.js")).rejects.toThrow(/node:/);
    },
  );
});
