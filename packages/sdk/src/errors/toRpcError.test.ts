import { HttpRequestError } from "viem";
import { expect, it } from "vitest";
import { AppRegistryError } from "./appRegistryError.ts";
import { toRpcError } from "./toRpcError.ts";

it("toRpcError returns RpcFailedError for a response that could not be read", () => {
  const cause = new SyntaxError("Cannot convert twelve to a BigInt");
  expect(toRpcError(cause)).toMatchObject({ name: "RpcFailedError", retryable: true, cause });
});

it("toRpcError converts errors of viem, and returns an AppRegistryError unchanged", () => {
  expect(toRpcError(new HttpRequestError({ url: "http://rpc" }))).toMatchObject({
    name: "RpcUnavailableError",
  });
  const own = new AppRegistryError("Mine.");
  expect(toRpcError(own)).toBe(own);
});
