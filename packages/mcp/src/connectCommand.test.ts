import { afterEach, describe, expect, it, vi } from "vitest";
import { parseHeader } from "./connectCommand.ts";

afterEach(() => vi.unstubAllEnvs());

describe("--header", () => {
  it.each([
    ["Authorization: Bearer {TOKEN}", "authorization", "Bearer s3cret"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a form that users know
    ["Authorization: Bearer ${TOKEN}", "authorization", "Bearer s3cret"],
    ["X-Api-Key:  {TOKEN}  ", "x-api-key", "s3cret"],
    ["X-Trimmed: {LINES}", "x-trimmed", "s3cret"],
    ["Cookie: a={ b }", "cookie", "a={ b }"],
  ])("sends %s", (line, name, value) => {
    vi.stubEnv("TOKEN", "s3cret");
    vi.stubEnv("LINES", "s3cret\n");
    expect(parseHeader(line)).toEqual({ [name]: value });
  });

  it.each([
    ["nothing", /must have the form/],
    ["Bad Name: x", /must have the form/],
    ["X-A:", /no value/],
    ["X-A: {BROKEN}", /line breaks/],
    ["X-A: {WIDE}", /can't send/],
    ["X-A: {EMPTY}", /EMPTY, which is empty/],
    ["X-A: {NO_SUCH}", /NO_SUCH, which is not set/],
    ...[
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "Connection",
      "Expect",
      "Mcp-Session-Id",
      "Accept",
    ].map((name) => [`${name}: x`, /sets itself/] as [string, RegExp]),
  ])("refuses %s at the start, without its value", (line, message) => {
    vi.stubEnv("BROKEN", "s3cret\nX-B: s3cret");
    vi.stubEnv("WIDE", "s3cret\u20ac");
    vi.stubEnv("EMPTY", "");
    expect(() => parseHeader(line)).toThrow(message);
    expect(() => parseHeader(line)).toThrow(/^(?!.*s3cret)/s);
  });
});
