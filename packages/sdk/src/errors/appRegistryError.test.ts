import { expect, it } from "vitest";
import { AppRegistryError } from "./appRegistryError.ts";

it("AppRegistryError has the short message and the action in its message", () => {
  const cause = new Error("inner");
  const error = new AppRegistryError("It failed.", { action: "Try again.", docsPath: "/sdk", cause });
  expect(error.message).toBe("It failed.\nTry again.");
  expect(error).toMatchObject({ shortMessage: "It failed.", retryable: false, cause });
});
