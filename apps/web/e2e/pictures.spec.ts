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

test("a raster icon is shown among the claims, and a monogram in place of an SVG", async ({ page }) => {
  const did = "did:web:picture-book.example";
  const metadata = {
    ...{ name: "Picture Book", publisher: "Press", description: "Pictures." },
    image: `${origin}/icon.svg`,
    screenshotUrls: [`${origin}/screenshot.png`, `${origin}/other.svg`],
  };
  await registerAnyHost(page, { did, metadata });
  const other = "did:web:picture-frame.example";
  const withIcon = { ...metadata, image: `${origin}/screenshot.png` };
  await registerAnyHost(page, { did: other, metadata: withIcon });
  const icon = page.locator("[data-claims] [data-icon]");
  const width = () => icon.locator("img").evaluate(({ offsetWidth }: HTMLElement) => offsetWidth);
  await page.goto(appPath(other));
  await expect.poll(() => icon.locator("img").evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(64);
  expect(await width()).toBe(40);
  await expect
    .poll(async () => (await page.request.get(`/apps?did=${other}`)).text())
    .toContain("Picture Book");
  await page.goto(`/apps?did=${other}`);
  await expect.poll(width).toBe(32);

  await page.goto(appPath(did));
  await expect(icon.locator("text")).toHaveText("PB");
  await expect(icon.locator("img")).toHaveCount(0);
  const pictures = page.locator("#pictures").locator("xpath=ancestor-or-self::section[1]").getByRole("img");
  await page.getByRole("heading", { name: "Pictures", exact: true }).scrollIntoViewIfNeeded();
  await expect(pictures).toHaveCount(1);
  await expect(pictures).toHaveAttribute("alt", "Screenshot 1 provided by the publisher");
  await expect.poll(() => pictures.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
});
