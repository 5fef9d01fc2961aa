import { GuardedFetchError } from "@app-registry/outbound";
import { ProtocolError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { plainWords, toUpstreamError } from "./upstreamError.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("plainWords", () => {
  it.each([
    "Out of stock.",
    "The parameter user_id is required (at least 3 characters).",
    "Das Guthaben genügt nicht: es fehlen 20 Euro!",
    "Недостаточно средств",
    "don't retry",
    "The bearer token has expired.",
  ])("returns %s unchanged", (text) => {
    expect(plainWords(text)).toBe(text);
  });

  it.each([
    "https://evil.example/x",
    "//evil.example",
    "evil.example/login",
    "evil.example",
    "EVIL.example.",
    "(evil.example)",
    "localhost:8080/x",
    "bücher.example",
    "bücher。example",
    "ｅｖｉｌ．ｅｘａｍｐｌｅ",
    "xn--bcher-kva.example",
    "203.0.113.7",
    "127.1",
    "2130706433",
    "0x7f000001",
    "[2001:db8::1]",
    "https%3A%2F%2Fevil.example",
    base64("https://evil.example/login"),
    "hxxps[:]//evil[.]example",
    "mailto:a@evil.example",
    "\u202Emoc.live",
    "\u001b[31mred",
    "<script>alert(1)</script>",
  ])("stops before %j", (text) => {
    expect(plainWords(`Sign in at ${text} now`)).toBe("Sign in at …");
  });

  it.each([0x034f, 0x115f, 0x17b4, 0x180b, 0x200b, 0x3164, 0xfe0f, 0xffa0, 0xe0100, 0xe01ef])(
    "stops before a word with the invisible character %i",
    (code) => {
      expect(plainWords(`Pay me no${String.fromCodePoint(code)}w`)).toBe("Pay me …");
    },
  );

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("returns at most 1,000 characters", () => {
    const words = plainWords("word ".repeat(600_000));
    expect(words.length).toBeLessThanOrEqual(1_002);
    expect(words.endsWith("word …")).toBe(true);
  });
});

describe("toUpstreamError", () => {
  const message = (error: unknown) => toUpstreamError(error, true).shortMessage;

  it("quotes a JSON-RPC error with its code", () => {
    expect(toUpstreamError(new ProtocolError(-32000, "Out of stock."), true)).toMatchObject({
      rpcCode: -32000,
      shortMessage: "The service answered with the error -32000: Out of stock.",
    });
    expect(message(new ProtocolError(404, "https://evil.example"))).toBe(
      "The service answered with the error 404.",
    );
  });

  it("quotes nothing if headers were sent", () => {
    for (const text of ["key correct horse", "staple", "c o r r e c t", "99 111 114"])
      expect(toUpstreamError(new ProtocolError(-32000, text), false).shortMessage).toBe(
        "The service answered with the error -32000.",
      );
  });

  it("mentions the option that sends credentials for HTTP 401 and 403", () => {
    for (const status of [401, 403]) {
      const error = new GuardedFetchError("http-status", "https://a.example", "x", { status });
      expect(message(error)).toMatch(new RegExp(`\\(HTTP ${status}\\).*--header 'Authorization: Bearer`));
    }
  });

  // @threat documents: A redirect, version or response that collects credentials, repeats a call or floods the client
  it("quotes nothing of an HTTP error or a redirect", () => {
    const data = { status: 500, statusText: "evil", text: "evil" };
    const http = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "evil", data);
    expect(message(http)).toBe("The service answered with HTTP 500.");
    expect(
      message(new GuardedFetchError("redirect-not-allowed", "https://evil.example", "evil")),
    ).not.toContain("evil");
    expect(message(new GuardedFetchError("url-not-allowed", "evil", "evil"))).not.toContain("evil");
    expect(message(new Error("evil"))).toBe("The service's answer is not valid MCP.");
  });
});
