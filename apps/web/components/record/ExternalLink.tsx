import { safeHref } from "@app-registry/sdk";
import styles from "./ExternalLink.module.css";
import { visibleText } from "./visibleText.ts";

type ExternalLinkProps = {
  /** A URL out of a stranger's metadata. */
  url: string;
  /** Shown instead of the URL. */
  text?: string;
};

/** A link out of the register. A URL that may not be followed is shown as text and said to be unlinked. */
export function ExternalLink({ url, text }: ExternalLinkProps) {
  const href = safeHref(url);
  if (href === undefined) {
    return (
      <span className={styles.unsafe}>
        {text === undefined ? <code>{visibleText(url)}</code> : visibleText(text)}{" "}
        <span className={styles.note}>(not linked: unsafe address)</span>
      </span>
    );
  }
  return (
    <a className={styles.link} href={href} rel="noopener noreferrer nofollow ugc" target="_blank">
      <bdi>{visibleText(text ?? url)}</bdi>
      <span className="visuallyHidden"> (opens in a new tab)</span>
    </a>
  );
}
