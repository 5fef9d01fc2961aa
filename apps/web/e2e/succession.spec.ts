import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { appPath } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

const rpcUrl = process.env.E2E_RPC_URL ?? "http://127.0.0.1:8545";
const metadata = {
  name: "Harbour Weather",
  publisher: "Harbour",
  description: "Tides.",
  traits: ["api:rest"],
};

test.describe("a service that replaces another", () => {
  test("is named by both where one account controls them, and by nobody else", async ({ page }) => {
    const newcomer = "did:web:new-harbour.example";
    const old = { did: "did:web:old-harbour.example", publisher: 8 };
    const stranger = { did: "did:web:stranger.example", publisher: 9 };
    const documents = {
      ...metadata,
      replacedBy: newcomer,
      deprecation: "Stops in May.",
      releaseNotes: "Last one.",
    };
    await registerAnyHost(page, { did: newcomer, metadata, publisher: 8 });
    for (const { did, publisher } of [old, stranger]) {
      const client = await registerAnyHost(page, { did, metadata: documents, publisher });
      await client.waitForReceipt({ hash: await client.updateStatus({ did, major: 1, status: 2 }) });
    }

    for (const { did } of [old, stranger]) {
      await page.goto(appPath(did));
      await expect(page.getByText("Replaced by new-harbour.example, as its publisher says.")).toBeVisible();
      await expect(page.locator('[data-fact="record"]')).toHaveAttribute("data-outcome", "fail");
      await expect(page.locator("#versions")).toContainText("Advises against it: “Stops in May.”");
      await expect(page.locator("#versions")).toContainText("Says what is new: “Last one.”");
    }
    await expect(async () => {
      await page.goto(appPath(newcomer));
      const replaces = page.getByText("Replaces old-harbour.example. The same account controls both.");
      await expect(replaces).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await expect(page.getByText("stranger.example")).toHaveCount(0);
  });
});

test.describe("a reader's own verification", () => {
  const did = "did:web:checked.example";
  const result = '[data-report="browser"]';

  test.beforeAll(async ({ browser, baseURL }) => {
    const page = await browser.newPage(baseURL === undefined ? {} : { baseURL });
    await registerAnyHost(page, { did, metadata });
    await page.close();
  });

  test("asks an RPC endpoint that the reader types, and none that a link names", async ({ page }) => {
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
    await page.getByText("Verify it in your browser").click();
    await expect(page.getByLabel("RPC URL")).toHaveValue("");
    expect(asked).toEqual([]);

    const answer = await page.goto(appPath(did));
    expect(answer?.headers()["content-security-policy"]).not.toContain(own);
    await page.getByText("Verify it in your browser").click();
    await page.getByLabel("RPC URL").fill(`${own}/secret-key`);
    await page.getByRole("button", { name: "Ask this endpoint" }).click();
    const report = page.locator(result);
    await expect(report).toContainText(
      `Controlled by checked.example. Your browser found this with ${new URL(own).host}`,
    );
    for (const fact of await report.locator("[data-fact]").all()) {
      await expect(fact).toHaveAttribute("data-outcome", "pass");
    }
    expect(page.url()).not.toContain("secret-key");
    expect(new Set(asked)).toEqual(new Set(["/secret-key"]));
    node.closeAllConnections();
    node.close();
  });

  test("asks the reader's wallet, and says when it is on another chain", async ({ page }) => {
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
    await page.getByText("Verify it in your browser").click();
    await page.getByRole("button", { name: "Ask my wallet" }).click();
    await expect(page.locator(result)).toContainText("Your browser found this with your wallet, block");

    chainId = "0x1";
    await page.getByRole("button", { name: "Ask my wallet" }).click();
    await expect(page.getByText("Nothing was verified with your wallet")).toBeVisible();
  });
});
