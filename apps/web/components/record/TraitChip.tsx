import Link from "next/link";
import styles from "./TraitChip.module.css";
import { visibleText } from "./visibleText.ts";

type TraitChipProps = {
  trait: string;
  /** Where the trait leads, usually the list of services that carry it. */
  href?: string;
};

/** A trait, as it is written in the metadata. */
export function TraitChip({ trait, href }: TraitChipProps) {
  const text = visibleText(trait);
  return href === undefined ? (
    <span className={styles.chip} translate="no">
      {text}
    </span>
  ) : (
    <Link className={styles.chip} href={href} prefetch={false} translate="no">
      {text}
    </Link>
  );
}
