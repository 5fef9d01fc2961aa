import styles from "./CopyBlock.module.css";
import { CopyButton } from "./CopyButton.tsx";

type CopyBlockProps = {
  /** The text, exactly as it is to be pasted. */
  text: string;
  /** Caption above it: where it belongs. */
  caption: string;
};

/** A block to copy: a command, a configuration, a URL. */
export function CopyBlock({ text, caption }: CopyBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.caption}>
        <span>{caption}</span>
        <CopyButton text={text} label={`Copy: ${caption}`} withWord />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={styles.pre} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
