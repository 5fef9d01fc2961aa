import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/**
 * Program of a child process: reads a picture from standard input and writes it anew, as WebP, to standard output. Ends
 * with 1 for a picture that it can't draw. The parameters are the path of the library `sharp`, the most pixels of the
 * picture, its longest side when drawn, the most bytes when drawn, and the most bytes of memory.
 */
const [library, ...limits] = process.argv.slice(2);
const [maxPixels, maxSide, maxBytes, maxMemory] = limits.map(Number);

// The library works in threads of its own, which nothing but the end of the process stops.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, "SIGKILL");
}, 20).unref();

const bytes = await buffer(process.stdin);
const { default: sharp } = await import(pathToFileURL(library).href);
sharp.concurrency(1);
sharp.cache(false);

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
