import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";

/**
 * Program of a child process: reads a picture from standard input and writes it anew, as WebP, to standard output. Ends
 * with 1 for a picture that it can't draw. The parameters are the library's reader of the picture's type, the most pixels of
 * the picture, its longest side when drawn, the most bytes when drawn, the most bytes of memory, the most milliseconds, and
 * the process that wants the picture.
 */
const [reader, ...limits] = process.argv.slice(2);
const [maxPixels, maxSide, maxBytes, maxMemory, deadline, parent] = limits.map(Number);

// The library works in threads of its own, which nothing but the end of the process stops.
setInterval(() => {
  const isOver = performance.now() > deadline || process.ppid !== parent;
  if (isOver || process.memoryUsage.rss() > maxMemory) process.kill(process.pid, "SIGKILL");
}, 20).unref();

const bytes = await buffer(process.stdin);
// A production build holds the library among the dependencies of Next alone.
const sharp = createRequire(createRequire(import.meta.url).resolve("next/package.json"))("sharp");
sharp.concurrency(1);
sharp.cache(false);
// The library tells the type of a picture by rules of its own, by which a picture could be an SVG as well.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [`VipsForeignLoad${reader}`] });

const encode = (quality) =>
  sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality })
    .toBuffer();

try {
  const good = await encode(80);
  process.stdout.write(good.length > maxBytes ? await encode(30) : good);
} catch {
  process.exitCode = 1;
}
