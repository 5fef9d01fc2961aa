import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { test } from "./support/test.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("the demo registers the reference MCP server and finds it, and every fact passes", async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), "demo-"));
  const state = join(folder, "stack.json");
  const { E2E_BASE_URL, E2E_RPC_URL, E2E_INDEXER_URL, DEPLOYMENT_FILE } = process.env;
  const webUrl = E2E_BASE_URL ?? "http://localhost:3000";
  await writeFile(
    state,
    JSON.stringify({
      webUrl,
      rpcUrl: E2E_RPC_URL ?? "http://127.0.0.1:8545",
      indexerUrl: E2E_INDEXER_URL ?? "http://127.0.0.1:42069",
      deploymentFile: DEPLOYMENT_FILE ?? join(root, "deployments/31337.json"),
    }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/demo/run.ts"], {
    cwd: root,
    env: { ...process.env, STACK_STATE: state },
  }).finally(() => rm(folder, { recursive: true }));
  expect(stdout.match(/^ +(pass|fail|unknown) /gm)?.map((line) => line.trim())).toEqual(
    Array(5).fill("pass"),
  );
  const [, address = ""] = /^Registered, found and verified: (\S+)$/m.exec(stdout) ?? [];
  await page.goto(address);
  await expect(page.locator('[data-claim="name"]').first()).toHaveText("Everything MCP Server");
  await expect(page.getByText("Claimed by the publisher · not verified").first()).toBeVisible();
});
