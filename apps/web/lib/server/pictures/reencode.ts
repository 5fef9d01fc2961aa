import { type ExecFileException, execFile } from "node:child_process";
import { join } from "node:path";

/** Maximum number of pixels of a source picture: 6,000 × 4,000. */
const MAX_PIXELS = 24_000_000;
/** Longest side of a drawn picture, in pixels. */
const MAX_SIDE = 1_280;
/** Maximum size of a drawn picture, in bytes. */
const MAX_DRAWN_BYTES = 1024 * 1024;
/** Memory limit of the child process, in bytes. */
const MAX_MEMORY = 512 * 1024 * 1024;
/** Time limit of one picture, in seconds. */
const DEADLINE = 15;

/** The build does not contain the program, so its path is relative to the folder in which the web app always starts. */
const program = join(process.cwd(), "lib/server/pictures/draw.mjs");

const running = new Set<ReturnType<typeof execFile>>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Name of the library's loader for one picture type. */
export type PictureReader = "Png" | "Jpeg" | "Nsgif" | "Webp" | "Heif";

/** Resolves when the pictures requested so far are drawn: one is drawn at a time. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Re-encodes an untrusted picture as WebP in a separate process. A picture that exploits the library affects only that
 * process, which has none of this process's secrets.
 *
 * @returns `undefined` for a picture that can't be drawn within the time and size limits.
 */
export function drawInChild(
  bytes: Uint8Array,
  reader: PictureReader,
  { deadline = DEADLINE, memory = MAX_MEMORY }: { deadline?: number; memory?: number } = {},
): Promise<Buffer<ArrayBuffer> | undefined> {
  const limits = [MAX_PIXELS, MAX_SIDE, MAX_DRAWN_BYTES, memory, deadline, process.pid].map(String);
  const draw = () =>
    new Promise<Buffer<ArrayBuffer> | undefined>((resolve, reject) => {
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
          timeout: deadline * 1_000,
          killSignal: "SIGKILL",
          maxBuffer: MAX_DRAWN_BYTES,
        },
        settle,
      );
      running.add(child);
      // The child may exit before it has read everything.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(bytes);
    });
  const drawn = previous.then(draw);
  previous = drawn.catch(() => undefined);
  return drawn;
}

/** Maximum size of a picture from its host, in bytes. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Error that gives the reason a picture is not shown. */
export class PictureRefusedError extends Error {
  override readonly name = "PictureRefusedError";
}

/**
 * Re-encodes an untrusted picture as WebP without metadata, at most 1,280 pixels per side, using the first frame of an
 * animation. Detects the type from the bytes: PNG, JPEG, GIF, WebP or AVIF. SVG is not supported, because no limit on
 * bytes or elements bounds the work of drawing one.
 *
 * @throws PictureRefusedError for other types, and for pictures that are too large, damaged or too slow to draw.
 */
export async function reencode(
  bytes: Uint8Array,
  limits?: Parameters<typeof drawInChild>[2],
): Promise<Buffer<ArrayBuffer>> {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefusedError("The picture is larger than 2 MiB.");
  const reader = detectPictureType(bytes);
  if (reader === undefined) throw new PictureRefusedError("This picture type is not supported.");
  const drawn = await drawInChild(bytes, reader, limits);
  if (drawn === undefined) {
    throw new PictureRefusedError("The picture is damaged, has too many pixels or takes too long to draw.");
  }
  return drawn;
}

const signatures: [PictureReader, RegExp][] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signature of PNG holds them
  ["Png", /^\x89PNG\r\n\x1a\n/],
  ["Jpeg", /^\xff\xd8\xff/],
  ["Nsgif", /^GIF8[79]a/],
  ["Webp", /^RIFF[\s\S]{4}WEBP/],
  // An AVIF starts with the length of its first box. Text before "ftyp" could make the file another type as well.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a length of less than 2 KiB
  ["Heif", /^\0\0[\0-\x07][\s\S]ftypavi[fs]/],
];

function detectPictureType(bytes: Uint8Array): PictureReader | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return signatures.find(([, pattern]) => pattern.test(start))?.[0];
}
