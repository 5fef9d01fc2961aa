import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { proxy } from "./proxy.ts";

describe("proxy", () => {
  it("rejects a POST to a page without a form before Next reads the body or looks up its action", async () => {
    for (const headers of [{ "next-action": "x" }, { "content-type": "multipart/form-data; boundary=x" }]) {
      for (const path of ["/register", "/", "/apps", "/nothing"]) {
        const response = await proxy(
          new NextRequest(`http://localhost${path}`, { method: "POST", headers, body: "" }),
        );
        expect([response.status, response.headers.get("allow")], path).toEqual([405, "GET, HEAD"]);
      }
    }
  });
});
