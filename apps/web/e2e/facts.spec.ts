import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { appPath } from "@app-registry/sdk";
import { expect, type Page } from "@playwright/test";
import { ServicePage } from "./pages/ServicePage.ts";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

const metadata = { name: "Slow Maps", publisher: "Slow", description: "Maps.", traits: [] };

/** Host of a document that does not respond until the test opens it. */
let server: Server;
let waiting: ServerResponse[];
let isOpen: boolean;

const answer = (response: ServerResponse) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));

function open() {
  isOpen = true;
  for (const response of waiting.splice(0)) answer(response);
}

test.beforeEach(async () => {
  waiting = [];
  isOpen = false;
  server = createServer((_, response) => (isOpen ? answer(response) : waiting.push(response)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function register(page: Page, did: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  await registerAnyHost(page, { did, metadata, dataUrl: `http://localhost:${port}/${did}.json` });
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  // @threat services: A silent document host
  test("the page contains unknown facts with their reason, and they can be checked again", async ({
    page,
  }) => {
    const did = "did:web:silent.example";
    await register(page, did);
    const service = new ServicePage(page);
    await page.goto(appPath(did));
    for (const name of ["record", "control", "attested"] as const) {
      await expect(service.fact(name)).toHaveAttribute("data-outcome", "pass");
    }
    await expect(service.fact("control")).toContainText(/valid until \d+ \w+ \d{4}, \d\d:\d\d UTC/);
    await expect(service.fact("content")).toHaveAttribute("data-outcome", "unknown");
    await expect(service.fact("content")).toContainText("did not respond in time");
    await expect(service.proven).toHaveText("silent.example");

    open();
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(service.fact("content")).toHaveAttribute("data-outcome", "pass");
    await page.goto(appPath(did));
    await expect(service.name).toHaveText("Slow Maps");
  });
});

test("unknown facts are checked again automatically", async ({ page }) => {
  const did = "did:web:late.example";
  await register(page, did);
  const service = new ServicePage(page);
  const checks: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") checks.push(request.url());
  });
  await page.goto(appPath(did));
  await expect(service.fact("content")).toHaveAttribute("data-outcome", "unknown");
  open();
  await expect(service.fact("content")).toHaveAttribute("data-outcome", "pass");
  expect(checks).toHaveLength(1);
});
