import { expect, it } from "vitest";
import { AppRegistryError } from "./appRegistryError.ts";

it("puts what happened, what to do and where to read on into its message", () => {
  const cause = new Error("inner");
  const error = new AppRegistryError("It failed.", { action: "Try again.", docsPath: "/sdk", cause });
  expect(error.message).toBe("It failed.\nTry again.\nDocs: /sdk");
  expect(error).toMatchObject({ shortMessage: "It failed.", retryable: false, cause });
});
