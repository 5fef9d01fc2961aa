import { createServer, type Server } from "node:http";
import { createGuardedFetch } from "@app-registry/outbound";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { route } from "../route.ts";
import { type RegistryFixture, startRegistry } from "../test/registryFixture.ts";
import { MAX_PICTURE_BYTES, reencode } from "./reencode.ts";
import { servePicture } from "./servePicture.ts";

const svg = (content: string) =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="20">${content}</svg>`,
  );
const png = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } })
    .png()
    .toBuffer();

describe("reencode", () => {
  it.each(["png", "jpeg", "gif", "webp", "avif"] as const)(
    "draws a %s as WebP without metadata",
    async (format) => {
      const picture = sharp(await png()).withExif({ IFD0: { Copyright: "secret place" } });
      const drawn = await reencode(await picture[format]().toBuffer());
      expect(await sharp(drawn).metadata()).toMatchObject({ format: "webp", width: 30, height: 20 });
      expect(drawn.toString("latin1")).not.toContain("secret place");
    },
  );

  it("makes a large picture fit", async () => {
    const wide = sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: "red" } });
    const drawn = await reencode(await wide.png().toBuffer());
    expect(await sharp(drawn).metadata()).toMatchObject({ width: 1_280, height: 427 });
  });

  it("draws a plain SVG", async () => {
    const drawn = await reencode(svg('<rect width="40" height="20" fill="red"/>'));
    expect(await sharp(drawn).metadata()).toMatchObject({ format: "webp", width: 40, height: 20 });
  });

  it.each([
    ["runs a script", "<script>alert(1)</script>"],
    ["loads a picture", '<image href="https://evil.example/x.png"/>'],
    ["reads a file", '<image xlink:href="file:///etc/passwd"/>'],
    ["loads a style", "<style>@import url(https://evil.example/x.css);</style>"],
    ["loads by a property", '<rect fill="url(https://evil.example/#a)"/>'],
    ["holds HTML", "<foreignObject><b>x</b></foreignObject>"],
    ["multiplies itself", '<g id="a"><use xlink:href="#a"/></g>'],
    ["filters", '<filter id="f"><feGaussianBlur stdDeviation="9999"/></filter>'],
  ])("refuses an SVG that %s", async (_, content) => {
    await expect(reencode(svg(content))).rejects.toThrow("parts that are not drawn here");
  });

  it("refuses entities", async () => {
    const text = '<svg xmlns="http://www.w3.org/2000/svg"><!DOCTYPE x [<!ENTITY a "aaaa">]></svg>';
    await expect(reencode(new TextEncoder().encode(text))).rejects.toThrow("parts that are not drawn here");
  });

  it("refuses what is no picture, whatever it says that it is", async () => {
    for (const text of ["<html><svg></svg></html>", "%PDF-1.7", "", "GIF87"]) {
      await expect(reencode(new TextEncoder().encode(text))).rejects.toThrow("no picture");
    }
  });

  it("refuses a small file of very many pixels, and one that ends early", async () => {
    const bomb = sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: "red" } });
    const packed = await bomb.png({ compressionLevel: 9 }).toBuffer();
    expect(packed.length).toBeLessThan(MAX_PICTURE_BYTES);
    await expect(reencode(packed)).rejects.toThrow("more pixels");
    await expect(reencode((await png()).subarray(0, 60))).rejects.toThrow("broken");
    await expect(reencode(new Uint8Array(MAX_PICTURE_BYTES + 1))).rejects.toThrow("2 MiB");
  });
});

describe("GET /api/picture", () => {
  let fixture: RegistryFixture;
  let host: Server;
  let origin: string;
  let asked: string[] = [];
  const fetcher = createGuardedFetch({ allowLoopback: true, maxBytes: MAX_PICTURE_BYTES });

  beforeAll(async () => {
    fixture = await startRegistry(18576);
    const picture = await png();
    host = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/icon") response.end(picture);
      else if (request.url === "/page") response.end("<html>");
      else if (request.url === "/endless") {
        response.on("error", () => undefined);
        const send = () =>
          !response.destroyed && response.write(Buffer.alloc(65_536), () => setImmediate(send));
        send();
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const address = host.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  afterAll(async () => {
    host.closeAllConnections();
    host.close();
    await Promise.all([fixture.stop(), fetcher.close()]);
  });

  const get = (did: string, pointer: string) =>
    route((request) => servePicture(request, fixture.registry, fetcher))(
      new Request(`http://localhost/api/picture/${did}/v/1.0.0?pointer=${encodeURIComponent(pointer)}`),
    );

  it("serves what a hash-checked document names, asks its host once, and nothing else", async () => {
    const screenshotUrls = [`${origin}/page`, `${origin}/none`, `${origin}/endless`, "file:///etc/passwd"];
    const { did } = await fixture.register({
      metadata: {
        name: "A",
        traits: [],
        image: `${origin}/icon`,
        external_url: `${origin}/icon`,
        screenshotUrls,
      },
    });
    asked = [];
    const response = await get(did, "/image");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "cross-origin-resource-policy": "same-origin",
    });
    await get(did, "/image");
    expect(asked).toEqual(["/icon"]);

    const codeOf = async (pointer: string) => (await (await get(did, pointer)).json()).code;
    expect(await codeOf("/external_url")).toBe("picture-not-found");
    expect(await codeOf("/screenshotUrls/9")).toBe("picture-not-found");
    expect(await codeOf("/screenshotUrls/0")).toBe("picture-refused");
    expect(await codeOf("/screenshotUrls/1")).toBe("picture-unreachable");
    expect(await codeOf("/screenshotUrls/2")).toBe("picture-unreachable");
    expect(await codeOf("/screenshotUrls/3")).toBe("picture-unreachable");
  });

  it("asks nobody for a document that is not the recorded one", async () => {
    const served = JSON.stringify({ name: "B", image: `${origin}/icon` });
    const { did } = await fixture.register({ onChain: false, served });
    asked = [];
    expect((await (await get(did, "/image")).json()).code).toBe("hash-mismatch");
    expect(asked).toEqual([]);
  });
});
