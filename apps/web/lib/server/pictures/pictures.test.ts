import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { crc32, deflateSync } from "node:zlib";
import { createGuardedFetch } from "@app-registry/outbound";
import { patience } from "@app-registry/test-kit/vitestProjects";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provideRegistry } from "../test/registryFixture.ts";
import { serve } from "../test/serve.ts";
import { servePicture } from "./pictureRoutes.ts";
import { drawInChild, MAX_PICTURE_BYTES, PictureRefusedError, reencode } from "./reencode.ts";

/** SVG of 7 KB that once kept a process busy for hours, because each mask draws the previous one twice. */
function nestedMasks(): Uint8Array {
  const masks = Array.from(
    { length: 60 },
    (_, index) =>
      `<mask id="m${index + 1}"><g mask="url(#m${index})"><rect width="9" height="9" mask="url(#m${index})"/></g></mask>`,
  );
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><mask id="m0"/>${masks.join("")}<rect width="400" height="400" mask="url(#m60)"/></svg>`,
  );
}

const png = () =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: "red" } })
    .png()
    .toBuffer();

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Text chunk that unpacks to the library's maximum of 8 MB. */
const bigText = Buffer.concat([Buffer.from("a\0\0", "latin1"), deflateSync(Buffer.alloc(7_990_000, "a"))]);

/** Returns the child processes of a process. */
function listChildren(pid: number): number[] {
  const listed = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return listed.split("\n").flatMap((line) => {
    const [, child, parent] = /^\s*(\d+)\s+(\d+)\s.*draw\.mjs/.exec(line) ?? [];
    return Number(parent) === pid ? [Number(child)] : [];
  });
}

async function untilChildren(pid: number): Promise<number[]> {
  await expect.poll(() => listChildren(pid).length).toBeGreaterThan(0);
  return listChildren(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("reencode", () => {
  it.each([
    ["png", [3_000, 1_000], [1_280, 427]],
    ...(["jpeg", "gif", "webp", "avif"] as const).map((format) => [format, [30, 20], [30, 20]] as const),
  ] as const)(
    "draws a %s of %j as WebP of %j without metadata",
    async (format, [width, height], drawnSize) => {
      const picture = sharp({ create: { width, height, channels: 3, background: "red" } });
      const marked = picture.withExif({ IFD0: { Copyright: "secret place" } });
      const drawn = await reencode(await marked[format]().toBuffer());
      const { format: drawnFormat, width: drawnWidth, height: drawnHeight } = await sharp(drawn).metadata();
      expect([drawnFormat, drawnWidth, drawnHeight]).toEqual(["webp", ...drawnSize]);
      expect(drawn.toString("latin1")).not.toContain("secret place");
    },
  );

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>';
  it.each([
    ["an SVG that is slow to draw", nestedMasks()],
    ["an SVG after a byte order mark", "\ufeff<?xml version='1.0'?><svg/>"],
    ["an SVG with the mark of an AVIF", `<!--ftypavif-->${svg}`],
    ["an SVG with the mark of a sequence of AVIFs", `<!--ftypavis-->${svg}`],
    ["a page with an SVG", "<html><svg></svg></html>"],
    ["a PDF", "%PDF-1.7"],
    ["nothing", ""],
    ["half a mark", "GIF87"],
    // @threat services: A picture or a rush that stops the web app
  ])("rejects %s before drawing it, whatever its declared type", async (_, picture) => {
    await expect(reencode(Buffer.from(picture))).rejects.toThrow("This picture type is not supported.");
  });

  // @threat services: A picture or a rush that stops the web app
  it("passes a picture only to the loader of its own type, even if the library would detect another", async () => {
    expect(await drawInChild(Buffer.from(svg), "Heif")).toBeUndefined();
    expect(await drawInChild(await png(), "Webp")).toBeUndefined();
  });

  // @threat services: A picture or a rush that stops the web app
  it("ends a process in which the text chunks of a PNG need too much memory", async () => {
    const texts = Array.from({ length: 200 }, () => chunk("zTXt", bigText));
    const picture = await png();
    const head = 33;
    const bomb = Buffer.concat([picture.subarray(0, head), ...texts, picture.subarray(head)]);
    expect(bomb.length).toBeLessThan(MAX_PICTURE_BYTES);
    // The limit is above what a harmless picture needs.
    await expect(reencode(bomb, { memory: 200_000_000 })).rejects.toThrow(PictureRefusedError);
    await reencode(await png(), { memory: 200_000_000 });
  });

  // @threat services: A picture or a rush that stops the web app
  it("ends a process that exceeds its time limit, and draws the next picture", async () => {
    const picture = await png();
    const late = reencode(picture, { deadline: 4 });
    const [child] = await untilChildren(process.pid);
    process.kill(child ?? 0, "SIGSTOP");
    await expect(late).rejects.toThrow("takes too long");
    await expect.poll(() => listChildren(process.pid)).not.toContain(child);
    expect(await sharp(await reencode(picture)).metadata()).toMatchObject({ format: "webp" });
  });

  // @threat services: A picture or a rush that stops the web app
  it("stops drawing when the requesting server ends", async () => {
    const program = fileURLToPath(new URL("./draw.mjs", import.meta.url));
    const draw = [process.execPath, program, "Png", "1", "1", "1", "1e9"];
    // Its input never ends, which simulates a busy library.
    const server = spawn("sh", ["-c", '"$@" $$ <&3 & echo $!; wait', "sh", ...draw, "3600"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const [printed] = await once(server.stdout ?? server, "data");
    const child = Number(String(printed));
    server.kill("SIGKILL");
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  // @threat services: A picture or a rush that stops the web app
  it("rejects a small file with too many pixels, and a truncated one", async () => {
    const bomb = sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: "red" } });
    const packed = await bomb.png({ compressionLevel: 9 }).toBuffer();
    expect(packed.length).toBeLessThan(MAX_PICTURE_BYTES);
    await expect(reencode(packed)).rejects.toThrow("too many pixels");
    await expect(reencode((await png()).subarray(0, 60))).rejects.toThrow("damaged");
    await expect(reencode(new Uint8Array(MAX_PICTURE_BYTES + 1))).rejects.toThrow("2 MiB");
  });
});

/** Returns a PNG of almost 2 MiB. */
async function noise(): Promise<Buffer> {
  const [width, height] = [800, 860];
  const raw = randomBytes(width * height * 3);
  const picture = await sharp(raw, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  expect(picture.length).toBeGreaterThan(0.97 * MAX_PICTURE_BYTES);
  expect(picture.length).toBeLessThanOrEqual(MAX_PICTURE_BYTES);
  return picture;
}

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Returns the bytes of all buffers in use. */
function measureBuffers(): number {
  // V8 frees the buffers of a collection in the background, and waits for that when the next one begins.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe("GET /api/picture", () => {
  const fixture = provideRegistry();
  let host: Server;
  let origin: string;
  let asked: string[] = [];
  /** Picture of the maximum size, filled with noise. */
  let large: Buffer;
  /** Pending responses to requests for "/held". */
  let held: ServerResponse[] = [];
  // The host holds requests for as long as other pictures are drawn.
  const timeout = patience.testTimeout;
  const fetcher = createGuardedFetch({ allowLoopback: true, maxBytes: MAX_PICTURE_BYTES, timeout });

  beforeAll(async () => {
    const picture = await png();
    large = await noise();
    host = createServer((request, response) => {
      asked.push(request.url ?? "");
      if (request.url === "/icon") response.end(picture);
      else if (request.url === "/noise") response.end(large);
      else if (request.url === "/page") response.end("<html>");
      else if (request.url === "/svg") response.setHeader("content-type", "image/png").end(nestedMasks());
      else if (request.url?.startsWith("/held")) held.push(response);
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
    await fetcher.close();
  });

  const get = (did: string, pointer: string, client = "192.0.2.1", init: RequestInit = {}) =>
    serve((request) => servePicture(request, fixture.registry, { clientAddress: () => client }, fetcher))(
      new Request(`http://localhost/api/picture/${did}/v/1.0.0?pointer=${encodeURIComponent(pointer)}`, init),
    );

  it("serves a picture of a hash-checked document, requests its host once, and no other URL", async () => {
    const screenshotUrls = [
      `${origin}/page`,
      `${origin}/none`,
      `${origin}/endless`,
      "file:///etc/passwd",
      `${origin}/svg`,
    ];
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

    const getCode = async (pointer: string) => (await (await get(did, pointer)).json()).code;
    expect(await getCode("/external_url")).toBe("picture-not-found");
    expect(await getCode("/screenshotUrls/9")).toBe("picture-not-found");
    expect(await getCode("/screenshotUrls/0")).toBe("picture-refused");
    expect(await getCode("/screenshotUrls/1")).toBe("picture-unreachable");
    expect(await getCode("/screenshotUrls/2")).toBe("picture-unreachable");
    expect(await getCode("/screenshotUrls/3")).toBe("picture-unreachable");
    expect(await getCode("/screenshotUrls/4")).toBe("picture-refused");

    // An image of a page, whose browser would report an error.
    const headers = { "sec-fetch-dest": "image" };
    for (const [pointer, status] of [
      ["/screenshotUrls/0", 204],
      ["/screenshotUrls/1", 204],
      ["/screenshotUrls/9", 404],
      ["/image", 200],
    ] as const) {
      expect((await get(did, pointer, undefined, { headers })).status).toBe(status);
    }
  });

  // @threat services: A picture or a rush that stops the web app
  it("limits the pictures of one client in memory, rejects the excess, and does not delay other clients", async () => {
    const screenshotUrls = Array.from({ length: 80 }, (_, index) => `${origin}/held/${index}`);
    const image = `${origin}/icon`;
    const many = await fixture.register({ metadata: { name: "C", traits: [], screenshotUrls } });
    const other = await fixture.register({ metadata: { name: "D", traits: [], image } });
    // One buffer for all: garbage of this host would count as the server's.
    const junk = Buffer.alloc(MAX_PICTURE_BYTES);
    const before = measureBuffers();
    let peak = 0;
    held = [];
    let answered = 0;
    const responses = screenshotUrls.map(async (_, index) => {
      const { status } = await get(many.did, `/screenshotUrls/${index}`);
      answered += 1;
      return status;
    });
    await expect.poll(() => [held.length, answered]).toEqual([2, 38]);
    expect((await get(other.did, "/image", "192.0.2.2")).status).toBe(200);
    // Drawing a few of the largest pictures reveals any leak.
    let served = 0;
    while (answered < 80) {
      expect(held.length).toBeLessThanOrEqual(2);
      for (const response of held.splice(0)) {
        served += 1;
        response.end(served <= 3 ? large : junk);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
      // A collection may take a second, which the drawing of the largest pictures does not have.
      if (served > 3 && served % 16 < 2) peak = Math.max(peak, measureBuffers() - before);
    }
    const statuses = await Promise.all(responses);
    expect(statuses.filter((status) => status === 503)).toHaveLength(38);
    // A busy machine ends the drawing of some of the largest pictures at its time limit.
    const drawn = statuses.filter((status) => status === 200);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.length).toBeLessThanOrEqual(3);
    expect(statuses.filter((status) => status === 422)).toHaveLength(42 - drawn.length);
    expect(peak).toBeLessThan(40_000_000);
  });

  // @threat services: A picture or a rush that stops the web app
  it("stores one copy of a picture for all clients that do not read", async () => {
    const image = `${origin}/noise`;
    const { did } = await fixture.register({ metadata: { name: "E", traits: [], image } });
    const drawn = Buffer.from(await (await get(did, "/image")).arrayBuffer());
    expect(drawn.length).toBeGreaterThan(400_000);
    expect(await sharp(drawn).metadata()).toMatchObject({ format: "webp", width: 800, height: 860 });
    const before = measureBuffers();
    const unread = await Promise.all(Array.from({ length: 100 }, () => get(did, "/image")));
    expect(measureBuffers() - before).toBeLessThan(20_000_000);
    const read = await Promise.all(unread.map(async (response) => (await response.arrayBuffer()).byteLength));
    expect(new Set(read)).toEqual(new Set([drawn.length]));
  });

  // @threat services: A picture or a rush that stops the web app
  it("requests an unresponsive host once for all its pictures, even if others registered the document", async () => {
    const metadata = { name: "F", traits: [], image: `${origin}/icon`, screenshotUrls: [`${origin}/icon`] };
    const dataUrl = `${origin}/none`;
    const { did } = await fixture.register({ metadata, onChain: false, dataUrl });
    const honest = await fixture.register({ metadata, onChain: false });
    asked = [];
    for (const pointer of ["/image", "/screenshotUrls/0", "/image"]) {
      expect((await (await get(did, pointer)).json()).code).toBe("document-unreachable");
    }
    expect(asked).toEqual(["/none"]);
    expect((await get(honest.did, "/image")).status).toBe(200);
  });

  // @threat services: A picture or a rush that stops the web app
  it("draws nothing for a registry server, because documents could name each other's pictures", async () => {
    const image = `${origin}/icon`;
    const { did } = await fixture.register({ metadata: { name: "G", traits: [], image } });
    asked = [];
    const refused = await get(did, "/image", "192.0.2.3", { headers: { "cdn-loop": "app-registry" } });
    expect([refused.status, (await refused.json()).code]).toEqual([508, "picture-loop"]);
    expect(asked).toEqual([]);
  });

  // @threat services: A picture or a rush that stops the web app
  it("draws nothing for a client that has disconnected", async () => {
    const screenshotUrls = Array.from({ length: 3 }, (_, index) => `${origin}/held/gone${index}`);
    const { did } = await fixture.register({ metadata: { name: "H", traits: [], screenshotUrls } });
    [asked, held] = [[], []];
    const done = [get(did, "/screenshotUrls/0"), get(did, "/screenshotUrls/1")];
    await expect.poll(() => held.length).toBe(2);
    const gone = new AbortController();
    const third = get(did, "/screenshotUrls/2", undefined, { signal: gone.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    gone.abort();
    for (const response of held.splice(0)) response.end("x");
    expect((await (await third).json()).code).toBe("client-gone");
    await Promise.all(done);
    expect(asked).toEqual(["/held/gone0", "/held/gone1"]);
  });

  it("requests no picture of a document that differs from the recorded one", async () => {
    const served = JSON.stringify({ name: "B", image: `${origin}/icon` });
    const { did } = await fixture.register({ onChain: false, served });
    asked = [];
    expect((await (await get(did, "/image")).json()).code).toBe("hash-mismatch");
    expect(asked).toEqual([]);
  });
});
