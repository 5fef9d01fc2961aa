import { type InterfaceName, safeHref } from "@app-registry/sdk";
import Link from "next/link";
import styles from "./identifiers.module.css";
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

const words = { 0: "Active", 1: "Deprecated", 2: "Replaced" } as const;

/** A record's status. Its colours are ink only: green, amber and red belong to the facts. */
export function AppStatusText({ status }: { status: 0 | 1 | 2 }) {
  return (
    <span className={styles.status} data-status={status}>
      {words[status]}
    </span>
  );
}

type TimeTextProps = {
  /** Unix time in seconds. */
  seconds: number;
  /** Leaves the time of day away. */
  dateOnly?: boolean;
  /** Shows the seconds. */
  precise?: boolean;
};

/** A moment of the register, in UTC, so that everyone reads the same. */
export function TimeText({ seconds, dateOnly = false, precise = false }: TimeTextProps) {
  const date = new Date(seconds * 1000);
  const text = dateOnly ? dateText(date) : precise ? preciseTimeText(date) : dateTimeText(date);
  return <time dateTime={date.toISOString()}>{text}</time>;
}

const dateFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

const preciseFormat = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: "UTC",
});

/** "21 Nov 2026", in UTC. */
function dateText(date: Date): string {
  return dateFormat.format(date);
}

/** "21 Nov 2026, 13:02 UTC". */
export function dateTimeText(date: Date): string {
  return `${dateFormat.format(date)}, ${timeFormat.format(date)} UTC`;
}

/** "21 Nov 2026, 13:02:45 UTC". */
function preciseTimeText(date: Date): string {
  return `${dateFormat.format(date)}, ${preciseFormat.format(date)} UTC`;
}

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
      <span className="anywhere">
        {text === undefined ? <code>{visibleText(url)}</code> : visibleText(text)}{" "}
        <span className="quiet">(not linked: unsafe address)</span>
      </span>
    );
  }
  return (
    <a className="anywhere" href={href} rel="noopener noreferrer nofollow ugc" target="_blank">
      <bdi>{visibleText(text ?? url)}</bdi>
      <span className="visuallyHidden"> (opens in a new tab)</span>
    </a>
  );
}

/** The interfaces as people read them. */
export const interfaceLabels: Record<InterfaceName, string> = {
  Human: "Human",
  Api: "API",
  Contract: "Contract",
};
