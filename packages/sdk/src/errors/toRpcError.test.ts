import { HttpRequestError } from "viem";
import { expect, it } from "vitest";
import { AppRegistryError } from "./appRegistryError.ts";
import { toRpcError } from "./toRpcError.ts";

it("takes an answer that could not be read for a failure of the RPC", () => {
  const cause = new SyntaxError("Cannot convert twelve to a BigInt");
  expect(toRpcError(cause)).toMatchObject({ name: "RpcFailedError", retryable: true, cause });
});

it("names what viem throws, and keeps an error of its own", () => {
  expect(toRpcError(new HttpRequestError({ url: "http://rpc" }))).toMatchObject({
    name: "RpcUnavailableError",
  });
  const own = new AppRegistryError("Mine.");
  expect(toRpcError(own)).toBe(own);
});
