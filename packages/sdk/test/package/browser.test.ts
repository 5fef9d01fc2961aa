import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, inject, it } from "vitest";

/** The modules of a browser bundle of an entry point, and its text. Node built-ins make it fail. */
async function bundle(entry: string): Promise<{ modules: string[]; text: string }> {
  const { metafile, outputFiles } = await build({
    // Beside the installed dependencies, which the unpacked tarball does not have.
    entryPoints: [join(import.meta.dirname, "../../dist/src", entry)],
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

  it.each(["index.js", "abi/index.js"])(
    "of %s holds neither ethers nor bytecode nor Node's modules",
    async (entry) => {
      expect(inject("packageFolder")).toBeTruthy();
      const { modules, text } = await bundle(entry);
      expect(
        modules.filter((path) => /ethers|undici|src\/(issuer\/(?!verifyAndAttestSchema)|cli\/)/.test(path)),
      ).toEqual([]);
      expect(text).not.toMatch(bytecode);
    },
  );

  it("of ethers/index.js does hold the factories with their bytecode", async () => {
    const { modules, text } = await bundle("ethers/index.js");
    expect(modules.some((path) => path.includes("AppRegistry__factory"))).toBe(true);
    expect(text).toMatch(bytecode);
  });

  it("of issuer/index.js is refused: it needs Node", async () => {
    await expect(bundle("issuer/index.js")).rejects.toThrow(/node:/);
  });
});
