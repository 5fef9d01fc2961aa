import sharp from "sharp";

/** Bytes of a picture as its host serves it. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;
/** Pixels of a picture as it comes: 6,000 by 4,000. */
const MAX_PIXELS = 24_000_000;
/** Longest side as it is served. */
const MAX_SIDE = 1_280;
/** Bytes of an SVG: drawing one costs more than its bytes tell. */
const MAX_SVG_BYTES = 128 * 1024;
const SECONDS = 5;

/** Why a picture is not shown. */
export class PictureRefusedError extends Error {
  override readonly name = "PictureRefusedError";
}

// One picture keeps one core busy, not all of them, and nothing of it is kept by the library.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Draws a stranger's picture anew as WebP: of an animation the first frame, at most 1,280 pixels a side, without
 * metadata. The type is told by its bytes: PNG, JPEG, GIF, WebP, AVIF, or an SVG that names nothing outside itself.
 *
 * @throws PictureRefusedError for anything else, and for what is too large or broken.
 */
export async function reencode(bytes: Uint8Array): Promise<Buffer<ArrayBuffer>> {
  if (bytes.length > MAX_PICTURE_BYTES) throw new PictureRefusedError("The picture is larger than 2 MiB.");
  const type = sniff(bytes);
  if (type === undefined) throw new PictureRefusedError("This picture type is not supported.");
  if (type === "svg") checkSvg(bytes);
  try {
    const encoded = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" })
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return Buffer.from(encoded);
  } catch (cause) {
    throw new PictureRefusedError("The picture is damaged or has too many pixels.", { cause });
  }
}

type PictureType = "png" | "jpeg" | "gif" | "webp" | "avif" | "svg";

const signatures: [PictureType, RegExp][] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signature of PNG holds them
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["jpeg", /^\xff\xd8\xff/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[\s\S]{4}WEBP/],
  ["avif", /^[\s\S]{4}ftypavi[fs]/],
  ["svg", /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/],
];

function sniff(bytes: Uint8Array): PictureType | undefined {
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  return signatures.find(([, pattern]) => pattern.test(start))?.[0];
}

/** Elements that load something, hold another language, or multiply work; entities, and style rules that load. */
const outsideOfSvg =
  /<!(?:DOCTYPE|ENTITY)|<\?xml-stylesheet|<(?:[\w-]+:)?(?:image|feImage|foreignObject|script|include|use|filter|pattern|style)[\s/>]/i;
const reference = /(?:href\s*=\s*["']?|url\s*\(\s*["']?)\s*([^"')\s]*)/gi;

/** The library loads nothing from outside by itself; this refuses what would want it to, or draws for too long. */
function checkSvg(bytes: Uint8Array): void {
  if (bytes.length > MAX_SVG_BYTES) throw new PictureRefusedError("The SVG is larger than 128 KiB.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PictureRefusedError("The SVG is not UTF-8.", { cause });
  }
  const leadsOut = [...text.matchAll(reference)].some(([, target = ""]) => !target.startsWith("#"));
  if (outsideOfSvg.test(text) || leadsOut) {
    throw new PictureRefusedError("The SVG contains unsupported elements.");
  }
}
