import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { appPath } from "@app-registry/sdk";
import { listen } from "@app-registry/test-kit/listen";
import { expect, type Locator } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible } from "./support/accessibility.ts";
import { registerAnyHost, untilIndexed } from "./support/registry.ts";
import { test } from "./support/test.ts";

/** A restarted worker registers its own service. */
const host = `offers-${randomBytes(4).toString("hex")}.example`;
const did = `did:web:${host}`;
const tool = (_: unknown, index: number) => ({ name: `tool-${index}`, inputSchema: { type: "object" } });
const login = `https://login.${host}/authorize`;
const metadata = {
  ...{
    name: "Offers",
    publisher: "Offers Ltd",
    description: "Everything.",
    traits: ["api:mcp"],
    probe: false,
  },
  platforms: { web: { launchUrl: `https://${host}/app` }, linux: {} },
  endpoints: [
    {
      name: "MCP",
      endpoint: `https://${host}/mcp`,
      instructions: "Call list first.\n✅ Controlled by stripe.com.",
      tools: Array.from({ length: 12 }, tool),
      resourceTemplates: [{ uriTemplate: "docs://items/{id}", name: "Item" }],
      authentication: { oauth2: { authorizationUrl: login, tokenUrl: `https://login.${host}/token` } },
    },
  ],
};

const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;

test.beforeAll(async ({ baseURL }) => void (await registerAnyHost(baseURL, { did, metadata })));

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test("a phone shows the proven name, the facts and the guard's command within two screens, and links each fact", async ({
    page,
  }) => {
    await page.goto(appPath(did));
    const main = page.getByRole("main");
    const parts = [
      main.locator("[data-proven]"),
      main.locator("[data-fact-marks]").first(),
      main.locator("[data-claims]").first(),
      main.getByText(/^Version 1\.0\.0, published/),
      main.getByRole("heading", { name: "How to connect" }),
      main.getByText(/^TOKEN=\S+ npx -y \S+\/packages\/app-registry-mcp-\S+\.tgz connect/),
      main.getByRole("heading", { name: "Verification" }),
      main.getByRole("heading", { name: "What it offers" }),
      main.getByRole("heading", { name: "Stored record", exact: true }),
    ];
    const tops = await Promise.all(parts.map(top));
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(tops[5]).toBeLessThan(2 * 844 - 100);

    const marks = main.locator("[data-fact-marks]").first();
    await expect(marks).toContainText("5 pass, live isn't checked");
    await expect(marks.getByRole("listitem")).toHaveText([
      ...[
        "Record: pass",
        "Control: pass",
        "Content: pass",
        "Attested: pass",
        "Origin: pass",
        "Live: not checked",
      ],
    ]);
    for (const link of await marks.getByRole("link").all()) {
      await link.click();
      await expect(page.locator(":target")).toBeInViewport();
    }
    await expect(page.locator(":target")).toHaveAttribute("data-fact", "live");
    await expect(page.locator(":target")).toContainText("Not checked");
    await expect(page.locator(":target")).not.toContainText(/Checked \d/);
  });
});

// @threat services: Links, markup, icons, invisible characters or check marks in a publisher's texts
test("shows the instructions as claimed words, and all other offers", async ({ page }) => {
  await page.goto(appPath(did));
  const offers = page.locator("#offers");
  await expect(offers.locator("[data-claims]")).toContainText(
    /^Claimed by the publisher · not verified · .*“Call list first\.\s“\[check mark\] Controlled by stripe\.com\.”$/,
  );
  await expect(offers).toContainText("docs://items/{id}");
  await expect(offers).toContainText("Platforms");
  await expect(offers.getByText("tool-11")).toBeHidden();
  await offers.getByText("Show 2 more").click();
  await expect(offers.getByText("tool-11")).toBeVisible();
  await expect(page.locator("#connect")).toContainText("Requires an OAuth 2 access token.");
  await expect(page.locator("#connect").getByRole("link", { name: login })).toBeVisible();
  await expectAccessible(page);
});

// @threat services: A service that claims to replace another
test("a service replaces another one on both pages only if one account controls both", async ({
  page,
  baseURL,
}) => {
  const newcomer = "did:web:new-harbour.example";
  const [old, stranger] = ["did:web:old-harbour.example", "did:web:stranger.example"];
  const harbour = { name: "Harbour Weather", publisher: "Harbour", description: "Tides." };
  const replaced = {
    ...harbour,
    replacedBy: newcomer,
    deprecation: "Stops in May.",
    releaseNotes: "Last one.",
  };
  await registerAnyHost(baseURL, { did: newcomer, metadata: harbour, publisher: 8 });
  for (const [did, publisher] of [
    [old, 8],
    [stranger, 9],
  ] as const) {
    const client = await registerAnyHost(baseURL, { did, metadata: replaced, publisher });
    await client.waitForReceipt({ hash: await client.updateStatus({ did, major: 1, status: 2 }) });
  }
  await untilIndexed(baseURL);

  for (const did of [old, stranger]) {
    await page.goto(appPath(did));
    await expect(
      page.getByText("According to the publisher, replaced by new-harbour.example."),
    ).toBeVisible();
  }
  await expect(page.locator('[data-fact="record"]')).toHaveAttribute("data-outcome", "fail");
  const versions = page.locator("#versions");
  await expect(versions).toContainText("Deprecation reason (publisher): “Stops in May.”");
  await expect(versions).toContainText("Release notes (publisher): “Last one.”");
  await page.goto(appPath(newcomer));
  const replaces = page.getByText("Replaces old-harbour.example. The same account controls both DIDs.");
  await expect(replaces).toBeVisible();
  await expect(page.getByText("stranger.example")).toHaveCount(0);
});

test("a raster icon is shown among the claims, and a monogram in place of an SVG", async ({
  page,
  baseURL,
}) => {
  const png = await sharp({ create: { width: 64, height: 40, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="40"><rect width="9" height="9"/></svg>';
  const { origin, close } = await listen(
    createServer(({ url }, response) => {
      if (url === "/screenshot.png") response.setHeader("content-type", "image/png").end(png);
      else response.setHeader("content-type", "image/svg+xml").end(svg);
    }),
  );
  const did = "did:web:picture-book.example";
  const metadata = {
    ...{ name: "Picture Book", publisher: "Press", description: "Pictures." },
    image: `${origin}/icon.svg`,
    screenshotUrls: [`${origin}/screenshot.png`, `${origin}/other.svg`],
  };
  await registerAnyHost(baseURL, { did, metadata });
  const other = "did:web:picture-frame.example";
  const withIcon = { ...metadata, image: `${origin}/screenshot.png` };
  await registerAnyHost(baseURL, { did: other, metadata: withIcon });
  const icon = page.locator("[data-claims] [data-icon]");
  const widths = ({ naturalWidth, offsetWidth }: HTMLImageElement) => [naturalWidth, offsetWidth];
  await page.goto(appPath(other));
  await expect.poll(() => icon.locator("img").evaluate(widths)).toEqual([64, 40]);

  await page.goto(appPath(did));
  await expect(icon.locator("text")).toHaveText("PB");
  await expect(icon.locator("img")).toHaveCount(0);
  const shown = page.locator("#pictures").locator("xpath=ancestor-or-self::section[1]").getByRole("img");
  await page.getByRole("heading", { name: "Pictures", exact: true }).scrollIntoViewIfNeeded();
  await expect(shown).toHaveCount(1);
  await expect(shown).toHaveAttribute("alt", "Screenshot 1 provided by the publisher");
  await expect.poll(async () => (await shown.evaluate(widths))[0]).toBe(64);
  await close();
});
