import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { appPath } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import sharp from "sharp";
import { registerAnyHost } from "./support/anyHost.ts";
import { test } from "./support/test.ts";

let host: Server;
let origin: string;

test.beforeAll(async () => {
  const picture = await sharp({ create: { width: 64, height: 40, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="40"><rect width="9" height="9"/></svg>';
  host = createServer((request, response) => {
    if (request.url === "/screenshot.png") response.setHeader("content-type", "image/png").end(picture);
    else response.setHeader("content-type", "image/svg+xml").end(svg);
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
test.afterAll(() => void host.close());

test("a service with an SVG icon shows its monogram and its other pictures", async ({ page }) => {
  const did = "did:web:picture-book.example";
  const metadata = {
    ...{ name: "Picture Book", publisher: "Press", description: "Pictures." },
    image: `${origin}/icon.svg`,
    screenshotUrls: [`${origin}/screenshot.png`, `${origin}/other.svg`],
  };
  await registerAnyHost(page, { did, metadata });
  await page.goto(appPath(did));
  await expect(page.locator("article svg text").first()).toHaveText("PB");
  const pictures = page.locator("#pictures").locator("xpath=ancestor-or-self::section[1]").getByRole("img");
  await page.getByRole("heading", { name: "Pictures", exact: true }).scrollIntoViewIfNeeded();
  await expect(pictures).toHaveCount(1);
  await expect(pictures).toHaveAttribute("alt", "Screenshot 1 provided by the publisher");
  await expect.poll(() => pictures.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
});
