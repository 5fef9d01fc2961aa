import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { test as base, expect } from "@playwright/test";

/** Picture hosts of the tests' services do not exist. */
const missingPicture = /Failed to load resource: .*\/api\/picture\//;

/**
 * Playwright's test, which also fails if a page logs an error: from a script, a rejected request, or the
 * Content-Security-Policy. `expectedErrors` are those that a test provokes.
 */
export const test = base.extend<{ host: DidHost; expectedErrors: RegExp[]; noError: undefined }>({
  host: async ({ baseURL: _ }, use) => {
    const host = await startDidHost();
    await use(host);
    await host.close();
  },
  expectedErrors: [[], { option: true }],
  noError: [
    async ({ page, expectedErrors }, use) => {
      const errors: string[] = [];
      const add = (text: string) => {
        if (![missingPicture, ...expectedErrors].some((expected) => expected.test(text))) errors.push(text);
      };
      page.on("console", (message) => {
        const isError = message.type() === "error" || message.text().includes("Content Security Policy");
        if (isError) add(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => add(error.message));
      await use(undefined);
      expect(errors, "errors in the page's console").toEqual([]);
    },
    { auto: true },
  ],
});
