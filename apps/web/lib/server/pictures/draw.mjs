import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";

/**
 * Program of a child process. Reads a picture from standard input and writes it as WebP to standard output. Exits with
 * 1 for a picture that it can't draw. Its parameters are the library's loader for the picture type, the maximum number
 * of pixels, the maximum side of the result, the maximum bytes of the result, the memory limit in bytes, the time limit
 * in seconds, and the id of the parent process.
 */
const [reader, ...limits] = process.argv.slice(2);
const [maxPixels, maxSide, maxBytes, maxMemory, seconds, parent] = limits.map(Number);

// The library works in its own threads, which can only be stopped by ending the process.
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > maxMemory) process.kill(process.pid, "SIGKILL");
}, 20).unref();

const bytes = await buffer(process.stdin);
// In a production build, only the dependencies of Next contain the library.
const sharp = createRequire(createRequire(import.meta.url).resolve("next/package.json"))("sharp");
sharp.concurrency(1);
sharp.cache(false);
// Allow only the expected loader. The library detects picture types by its own rules and could treat a picture as SVG.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: [`VipsForeignLoad${reader}`] });

const encode = (quality) =>
  sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" })
    .autoOrient()
    .resize({ width: maxSide, height: maxSide, fit: "inside", withoutEnlargement: true })
    .webp({ quality })
    .timeout({ seconds })
    .toBuffer();

try {
  const good = await encode(80);
  process.stdout.write(good.length > maxBytes ? await encode(30) : good);
} catch {
  process.exitCode = 1;
}
