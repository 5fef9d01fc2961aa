import { appStatusLabels, Interfaces, safeHref, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import styles from "./record.module.css";
import { dateTimeText, dayText } from "./times.ts";

type TraitChipProps = {
  trait: string;
  /** Where the trait leads: the list of services that carry it. */
  href: string;
};

/** A trait, as it is written in the metadata. */
export function TraitChip({ trait, href }: TraitChipProps) {
  return (
    <Link className={styles.chip} href={href} prefetch={false} translate="no">
      {visibleText(trait)}
    </Link>
  );
}

/** A record's status. Its colours are ink only: green, amber and red belong to the facts. */
export function AppStatusText({ status }: { status: 0 | 1 | 2 }) {
  return (
    <span className={styles.status} data-status={status}>
      {appStatusLabels[status]}
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
  const text = dateOnly ? dayText(date) : dateTimeText(date, precise);
  return <time dateTime={date.toISOString()}>{text}</time>;
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
export const interfaceChoices = [
  { bit: Interfaces.Human, label: "Human" },
  { bit: Interfaces.Api, label: "API" },
  { bit: Interfaces.Contract, label: "Contract" },
];

/** The interfaces of a bitmap: "Human, API". */
export const interfaceText = (bitmap: number): string =>
  interfaceChoices.flatMap(({ bit, label }) => ((bitmap & bit) === 0 ? [] : [label])).join(", ");

/** An address or a hash by its ends: 0x1234…abcd. */
export const shortHex = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`;
