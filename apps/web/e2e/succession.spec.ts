import { appPath } from "@app-registry/sdk";
import { expect } from "@playwright/test";
import { registerAnyHost } from "./support/anyHost.ts";
import { openRegistry } from "./support/registry.ts";
import { test } from "./support/test.ts";

const metadata = {
  name: "Harbour Weather",
  publisher: "Harbour",
  description: "Tides.",
  traits: ["api:rest"],
};

test.describe("a service that replaces another one", () => {
  // @threat services: A service that claims to replace another
  test("appears on both pages only if one account controls both services", async ({ page }) => {
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

    await (await openRegistry(page)).untilIndexed();

    for (const { did } of [old, stranger]) {
      await page.goto(appPath(did));
      await expect(
        page.getByText("According to the publisher, replaced by new-harbour.example."),
      ).toBeVisible();
      await expect(page.locator('[data-fact="record"]')).toHaveAttribute("data-outcome", "fail");
      await expect(page.locator("#versions")).toContainText(
        "Deprecation reason (publisher): “Stops in May.”",
      );
      await expect(page.locator("#versions")).toContainText("Release notes (publisher): “Last one.”");
    }
    await page.goto(appPath(newcomer));
    const replaces = page.getByText("Replaces old-harbour.example. The same account controls both DIDs.");
    await expect(replaces).toBeVisible();
    await expect(page.getByText("stranger.example")).toHaveCount(0);
  });
});
