import { test as base, expect } from "@playwright/test";

/**
 * Playwright's test, which also fails when a page did something that its Content-Security-Policy forbids: a person's
 * browser would have blocked it.
 */
export const test = base.extend<{ noViolation: undefined }>({
  noViolation: [
    async ({ page }, use) => {
      const violations: string[] = [];
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) violations.push(message.text());
      });
      await use(undefined);
      expect(violations, "what the Content-Security-Policy forbade").toEqual([]);
    },
    { auto: true },
  ],
});
