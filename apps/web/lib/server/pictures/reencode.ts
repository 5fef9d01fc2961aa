import { drawInChild, type PictureReader } from "./drawInChild.ts";

/** Bytes of a picture as its host serves it. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;

/** Why a picture is not shown. */
export class PictureRefusedError extends Error {
  override readonly name = "PictureRefusedError";
}

/**
 * Draws a stranger's picture anew as WebP: of an animation the first frame, at most 1,280 pixels a side, without
 * metadata. The type is told by its bytes: PNG, JPEG, GIF, WebP or AVIF. An SVG is a program of its own, which no limit
 * on bytes or elements bounds, so none is drawn.
 *
 * @throws PictureRefusedError for anything else, and for what is too large, broken or takes too long.
 */
export async function reencode(
  bytes: Uint8Array,
  limits?: Parameters<typeof drawInChild>[2],
): Promise<Buffer<ArrayBuffer>> {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefusedError("The picture is larger than 2 MiB.");
  const reader = detectPictureType(bytes);
  if (reader === undefined) throw new PictureRefusedError("This picture type is not supported.");
  const drawn = await drawInChild(reader === "Png" ? withoutTexts(bytes) : bytes, reader, limits);
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

/** Chunks of a PNG that say how it looks and are not compressed, apart from the pixels themselves. */
const drawnChunks: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]);

const SIGNATURE_LENGTH = 8;
/** Length, type and checksum of a chunk, in bytes. */
const CHUNK_FRAME = 12;

/** Leaves out the chunks that nobody sees: a text or a colour profile can be compressed a thousandfold. */
function withoutTexts(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const kept = [png.subarray(0, SIGNATURE_LENGTH)];
  let place = SIGNATURE_LENGTH;
  while (place + CHUNK_FRAME <= png.length) {
    const end = place + CHUNK_FRAME + view.getUint32(place);
    const type = String.fromCharCode(...png.subarray(place + 4, place + 8));
    if (drawnChunks.has(type)) kept.push(png.subarray(place, end));
    place = end;
  }
  return Buffer.concat(kept);
}
