import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { appPath } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

const rpcUrl = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
const metadata = { name: "Harbour Weather", publisher: "Harbour", description: "Tides.", traits: [] };

test.describe("verification in the reader's browser", () => {
  const did = "did:web:checked.example";
  const result = '[data-report="browser"]';

  test.beforeAll(async ({ browser, baseURL }) => {
    const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
    await registerAnyHost(page, { did, metadata });
    await page.close();
  });

  // @threat services: A link that supplies a lying RPC endpoint
  test("requests only the RPC endpoint that the reader enters, never one from a link", async ({ page }) => {
    const asked: string[] = [];
    const node = createServer(async (request, response) => {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "content-type");
      if (request.method !== "POST") return void response.end();
      const body = await new Response(request as unknown as ReadableStream).text();
      asked.push(request.url ?? "");
      const answer = await fetch(rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      response.setHeader("content-type", "application/json");
      response.end(await answer.text());
    });
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const own = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;

    await page.goto(`${appPath(did)}?rpc=${encodeURIComponent(own)}`);
    await page.getByText("Verify in your browser").click();
    await expect(page.getByLabel("RPC URL")).toHaveValue("");
    expect(asked).toEqual([]);

    const answer = await page.goto(appPath(did));
    expect(answer?.headers()["content-security-policy"]).not.toContain(own);
    await page.getByText("Verify in your browser").click();
    await page.getByLabel("RPC URL").fill(`${own}/secret-key`);
    await page.getByRole("button", { name: "Verify with this endpoint" }).click();
    const report = page.locator(result);
    await expect(report).toContainText(
      `Controlled by checked.example. Checked by your browser with ${new URL(own).host}`,
    );
    for (const fact of await report.locator("[data-fact]").all()) {
      await expect(fact).toHaveAttribute("data-outcome", "pass");
    }
    expect(page.url()).not.toContain("secret-key");
    expect(new Set(asked)).toEqual(new Set(["/secret-key"]));
    node.closeAllConnections();
    node.close();
  });

  test("uses the reader's wallet, and shows when the wallet is on another chain", async ({ page }) => {
    let chainId: string | undefined;
    await page.exposeFunction("askWallet", async (method: string, params: unknown) => {
      if (method === "eth_chainId" && chainId !== undefined) return { result: chainId };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const answer = await fetch(rpcUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return answer.json();
    });
    await page.addInitScript(() => {
      const ask = (window as unknown as { askWallet: (method: string, params: unknown) => Promise<Answer> })
        .askWallet;
      type Answer = { result?: unknown; error?: { message: string } };
      Object.assign(window, {
        ethereum: {
          request: async ({ method, params = [] }: { method: string; params?: unknown }) => {
            const { result, error } = await ask(method, params);
            if (error) throw Object.assign(new Error(error.message), error);
            return result;
          },
        },
      });
    });
    await page.goto(appPath(did));
    await page.getByText("Verify in your browser").click();
    await page.getByRole("button", { name: "Verify with my wallet" }).click();
    await expect(page.locator(result)).toContainText("Checked by your browser with your wallet, block");

    chainId = "0x1";
    await page.getByRole("button", { name: "Verify with my wallet" }).click();
    await expect(page.getByText("Couldn't check with your wallet")).toBeVisible();
  });
});
