import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";

/** Pixels of a picture as it comes: 6,000 by 4,000. */
const MAX_PIXELS = 24_000_000;
/** Longest side of a drawn picture, in pixels. */
const MAX_SIDE = 1_280;
/** Bytes of a drawn picture. */
const MAX_DRAWN_BYTES = 1024 * 1024;
/** Memory of the child process, in bytes. */
const MAX_MEMORY = 512 * 1024 * 1024;
/** Milliseconds from the start of the child process to its end. */
const DEADLINE = 15_000;

/** The program is not part of the build. Every way to start the web app starts it in this folder. */
const program = join(process.cwd(), "lib/server/pictures/draw.mjs");

const running = new Set<ReturnType<typeof execFile>>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Names the library's reader of one type of picture. */
export type PictureReader = "Png" | "Jpeg" | "Nsgif" | "Webp" | "Heif";

/**
 * Draws a stranger's picture anew as WebP, in a process of its own: whatever the picture makes the library do, ends with
 * that process, which has none of this one's secrets.
 *
 * @returns undefined for a picture that can't be drawn in time and within the limits.
 */
export function drawInChild(
  bytes: Uint8Array,
  reader: PictureReader,
  { deadline = DEADLINE, memory = MAX_MEMORY }: { deadline?: number; memory?: number } = {},
): Promise<Buffer<ArrayBuffer> | undefined> {
  const limits = [MAX_PIXELS, MAX_SIDE, MAX_DRAWN_BYTES, memory, deadline, process.pid].map(String);
  return new Promise((resolve, reject) => {
    const settle = (error: ExecFileException | null, drawn: Buffer) => {
      running.delete(child);
      if (error?.code === "ENOENT" || error?.code === "EAGAIN") reject(error);
      else resolve(error ? undefined : Buffer.from(drawn));
    };
    const child = execFile(
      process.execPath,
      ["--max-old-space-size=64", program, reader, ...limits],
      {
        encoding: "buffer",
        env: { NODE_ENV: process.env.NODE_ENV },
        timeout: deadline,
        killSignal: "SIGKILL",
        maxBuffer: MAX_DRAWN_BYTES,
      },
      settle,
    );
    running.add(child);
    // It may end before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(bytes);
  });
}
