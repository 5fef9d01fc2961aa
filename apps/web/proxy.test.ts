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

  // @threat services: A page of another site that sends a request
  it("refuses an action that a page of another site sends", async () => {
    for (const origin of ["https://evil.example", "null"]) {
      const headers = { host: "localhost", "next-action": "x", origin };
      const request = new NextRequest("http://localhost/apps/did:web:a.example", { method: "POST", headers });
      expect((await proxy(request)).status, origin).toBe(403);
    }
  });

  it("refuses a form that can't be read, before Next fails on it", async () => {
    const form = "multipart/form-data";
    const forms = [
      { type: form, body: "" },
      { type: `${form}; boundary=x`, body: "--x\r\nno header" },
      {
        type: `${form}; boundary=x`,
        body: new ReadableStream({ start: (controller) => controller.error(new Error("aborted")) }),
      },
    ];
    for (const { type, body } of forms) {
      const request = { method: "POST", headers: { "content-type": type }, body, duplex: "half" as const };
      const response = await proxy(new NextRequest("http://localhost/apps/did:web:a.example", request));
      expect(response.status, type).toBe(400);
    }
  });

  it("redirects the addresses of the former pages of publishers to the list", async () => {
    const response = await proxy(new NextRequest("http://localhost/by/example.com:8443/team"));
    expect([response.status, response.headers.get("location")]).toEqual([
      308,
      "http://localhost/apps?status=any&under=did:web:example.com%253A8443:team",
    ]);
  });
});
