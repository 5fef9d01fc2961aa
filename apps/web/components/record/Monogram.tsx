import styles from "./Monogram.module.css";
import { visibleText } from "./visibleText.ts";

type MonogramProps = {
  /** The service's name; its initials are drawn. */
  name: string;
  /** Draws the pattern, so that two services of one name differ: the DID. */
  seed: string;
  /** Edge in pixels. */
  size?: number;
};

function initials(name: string): string {
  const words = visibleText(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first, second] = words;
  if (first === undefined) return "–";
  const letters = [...first];
  return (
    (letters[0] ?? "").toLocaleUpperCase("en") +
    (second ? ([...second][0] ?? "").toLocaleUpperCase("en") : (letters[1] ?? ""))
  );
}

/** FNV-1a, 32 bit: spreads similar DIDs over different patterns. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/**
 * Drawn in place of a service's icon, which is never loaded: its host would learn who looks. Initials over hatching
 * whose angle and spacing come from the DID.
 */
export function Monogram({ name, seed, size = 40 }: MonogramProps) {
  const hash = hashOf(seed);
  const angle = (hash % 12) * 15;
  const gap = 3 + ((hash >>> 8) % 4);
  const id = `hatch-${hash.toString(36)}`;
  return (
    <svg
      className={styles.monogram}
      width={size}
      height={size}
      viewBox="0 0 40 40"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <pattern
          id={id}
          width={gap}
          height={gap}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${angle})`}
        >
          <path d={`M0 0V${gap}`} className={styles.hatch} />
        </pattern>
      </defs>
      <rect x=".5" y=".5" width="39" height="39" rx="3" className={styles.ground} />
      <rect x=".5" y=".5" width="39" height="39" rx="3" fill={`url(#${id})`} className={styles.frame} />
      <rect x="6" y="11" width="28" height="18" className={styles.plate} />
      <text x="20" y="25" textAnchor="middle" className={styles.letters}>
        {initials(name)}
      </text>
    </svg>
  );
}
