import { appPath, type Version, visibleText } from "@app-registry/sdk";
import { Picture } from "./Picture.tsx";
import styles from "./record.module.css";

/** Returns the path of this server's copy of a picture, so that the browser sends no request to other hosts. */
export function picturePath(did: string, version: Version, pointer: string): string {
  const path = appPath(did, version).replace(/^\/apps\//, "/api/picture/");
  return `${path}?pointer=${encodeURIComponent(pointer)}`;
}

type IconProps = {
  /** Claimed name, for the initials. */
  name: string;
  /** The DID. It selects the color, so that services with the same name differ. */
  seed: string;
  /** Path of the publisher's icon on this server, if it may be shown. */
  source?: string | undefined;
  /** Width and height in pixels. */
  size: number;
};

/**
 * The publisher's icon without its colors, over a monogram that shows if the icon can't be loaded. Render it only among
 * claims, below their label and away from the facts, so that a picture of a mark is not taken for this registry's mark.
 */
export function Icon({ name, seed, source, size }: IconProps) {
  return (
    <span className={styles.icon} data-icon style={{ width: size, height: size }}>
      <Monogram name={name} seed={seed} />
      {source === undefined ? null : <Picture source={source} alt="" />}
    </span>
  );
}

function initials(name: string): string {
  const [first = "–", second] = visibleText(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [initial = "", next = ""] = first;
  const [other] = second ?? "";
  return initial.toLocaleUpperCase("en") + (other?.toLocaleUpperCase("en") ?? next);
}

/** Returns the 32-bit FNV-1a hash of a text, so that similar DIDs get different colors. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/** Initials over a color of the DID: blue to magenta, because green, amber and red are outcomes. */
function Monogram({ name, seed }: Pick<IconProps, "name" | "seed">) {
  const hash = computeHash(seed);
  const hue = 195 + (hash % 141);
  const [paper, ink] = [88 - ((hash >>> 8) % 3) * 6, 22 + ((hash >>> 8) % 3) * 6];
  const fill = `light-dark(hsl(${hue} 55% ${paper}%), hsl(${hue} 32% ${ink}%))`;
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="3" style={{ fill }} />
      <text x="20" y="25" textAnchor="middle" fill="var(--ink)" fontSize={14} fontWeight={700}>
        {initials(name)}
      </text>
    </svg>
  );
}
