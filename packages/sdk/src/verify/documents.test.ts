import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import { describe, expect, it } from "vitest";
import { DocumentUnavailableError, fetchDocument } from "./documents.ts";

const options = { signal: AbortSignal.timeout(60_000) };

describe("fetchDocument", () => {
  it("returns the text unchanged, including a byte order mark", async () => {
    const text = '\ufeff{ "name": "Zürich 🌦" }';
    expect(await fetchDocument(await serveHttp((_, response) => response.end(text)), options)).toBe(text);
  });

  it.each([
    [
      "a status that is not 2xx",
      () => serveHttp((_, response) => response.writeHead(404).end("{}")),
      "HTTP 404",
      false,
    ],
    [
      "a temporary error status",
      () => serveHttp((_, response) => response.writeHead(503).end("{}")),
      "HTTP 503",
      true,
    ],
    [
      "more than 1 MiB",
      () => serveHttp((_, response) => response.end("x".repeat(1_048_577))),
      "larger than",
      false,
    ],
    [
      "text that is not UTF-8",
      () => serveHttp((_, response) => response.end(Buffer.from([0xc3, 0x28]))),
      "UTF-8",
      false,
    ],
    ["a host that is down", async () => deadOrigin, "is not responding", true],
    ["another scheme", async () => "file:///etc/hostname", "not an http", false],
  ])("rejects %s", async (_, start, reason, retryable) => {
    const fetched = fetchDocument(await start(), options);
    await expect(fetched).rejects.toBeInstanceOf(DocumentUnavailableError);
    await expect(fetched).rejects.toMatchObject({
      shortMessage: expect.stringContaining(reason),
      retryable,
      action: expect.stringMatching(retryable ? /try again/i : /^Check/),
    });
  });

  it("rejects when the signal aborts", async () => {
    const fetched = fetchDocument(await serveHttp(() => undefined), { signal: AbortSignal.timeout(50) });
    await expect(fetched).rejects.toBeInstanceOf(DocumentUnavailableError);
  });
});
