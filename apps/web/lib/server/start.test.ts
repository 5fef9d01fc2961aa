import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

const contract = { address: `0x${"1".repeat(40)}`, abiHash: `0x${"2".repeat(64)}` };
const otherContracts = {
  chainId: 31337,
  network: "localhost",
  deployBlock: 1,
  contracts: { AppRegistry: contract, AppMetadata: contract, ResolverWithStore: contract },
  compiler: { version: "0.8.30", settings: {} },
};

it.each([
  ["is not a deployment file", {}, { reason: /deployment file is not valid/, action: /DEPLOYMENT_FILE/ }],
  [
    "names contracts of another version",
    otherContracts,
    { reason: /The ABI of .* doesn't match .* deploy the contracts again/ },
  ],
])("ends with one line of JSON that says what to do if the file %s", async (_, content, said) => {
  const file = join(mkdtempSync(join(tmpdir(), "start-")), "31337.json");
  writeFileSync(file, JSON.stringify(content));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("DEPLOYMENT_FILE", file);
  vi.stubEnv("DATABASE_URL", "postgresql://localhost/registry");
  const lines: string[] = [];
  vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  // The process reads its environment once.
  vi.resetModules();
  const { start } = await import("./start.ts");
  await start();
  expect(exit).toHaveBeenCalledWith(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("\n");
  const line = JSON.parse(lines[0] ?? "") as Record<string, string>;
  expect(line).toMatchObject({ level: "error", event: "server not started" });
  for (const [field, words] of Object.entries(said)) expect(line[field]).toMatch(words);
});
