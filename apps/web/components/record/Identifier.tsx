import Link from "next/link";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./Identifier.module.css";

type IdentifierProps = {
  /** The whole text; it is what is selected, read aloud and copied. */
  text: string;
  /** Characters that stay visible at the end when the middle is cut. */
  tail: number;
  /** Where it leads, inside this site. */
  href?: string;
  /** Name of the copy button; without it there is no button. */
  copyLabel?: string;
  /** In a list row: no stop for the keyboard, since the row's link leads to the whole text. */
  inRow?: boolean;
};

/**
 * A machine's name on one line. When it does not fit, its middle is cut, never its end; it shows in full when it
 * is focused or pointed at.
 */
export function Identifier({ text, tail, href, copyLabel, inRow = false }: IdentifierProps) {
  const cut = Math.max(0, text.length - tail);
  const parts = (
    <>
      <span className={styles.head}>{text.slice(0, cut)}</span>
      <span className={styles.tail}>{text.slice(cut)}</span>
    </>
  );
  return (
    <span className={styles.identifier}>
      {href === undefined ? (
        <code className={styles.text} {...(inRow ? {} : { tabIndex: 0 })} translate="no">
          {parts}
        </code>
      ) : (
        <Link href={href} prefetch={false} className={styles.text} translate="no">
          {parts}
        </Link>
      )}
      {copyLabel === undefined ? null : <CopyButton text={text} label={copyLabel} />}
    </span>
  );
}
