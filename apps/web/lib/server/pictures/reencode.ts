import { drawInChild, type PictureReader } from "./drawInChild.ts";

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
