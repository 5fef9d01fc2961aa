import { apiTypes, appStatusLabels, Interfaces, safeHref, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import { dateTimeText, dayText, sentenceTimes } from "../../lib/record/times.ts";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./record.module.css";

type TraitChipProps = {
  trait: string;
  /** Path of the list of services with this trait. */
  href: string;
};

/** Renders a trait as a link. */
export function TraitChip({ trait, href }: TraitChipProps) {
  return (
    <Link className={`plain mono ${styles.chip}`} href={href} prefetch={false} translate="no">
      {visibleText(trait)}
    </Link>
  );
}

/** Renders a record's status. Green, amber and red are reserved for facts. */
export function AppStatusText({ status }: { status: 0 | 1 | 2 }) {
  return (
    <span className={`strong ${styles.status}`} data-status={status}>
      {appStatusLabels[status]}
    </span>
  );
}

type TimeTextProps = {
  /** Unix time in seconds. */
  seconds: number;
  /** Omits the time of day. */
  dateOnly?: boolean;
  /** Shows the seconds. */
  precise?: boolean;
};

/** Renders a time in UTC. `LocalTimes` adds the reader's time on hover. */
export function TimeText({ seconds, dateOnly = false, precise = false }: TimeTextProps) {
  const date = new Date(seconds * 1000);
  const text = dateOnly ? dayText(date) : dateTimeText(date, precise);
  return <time dateTime={date.toISOString()}>{text}</time>;
}

/** Renders a sentence in which times are written as in ISO 8601. */
export const TimedText = ({ text }: { text: string }) =>
  text.split(sentenceTimes).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity and never change
    index % 2 === 0 ? part : <TimeText key={index} seconds={Date.parse(part) / 1_000} />,
  );

type ExternalLinkProps = {
  /** Untrusted URL. */
  url: string;
  /** Shown instead of the URL. */
  text?: string;
};

/** Renders a link to another site. An unsafe URL is shown as text, with a note. */
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

/** Interface bits with their labels. */
export const interfaceChoices = [
  { bit: Interfaces.Human, label: "Website or app" },
  { bit: Interfaces.Api, label: "API" },
  { bit: Interfaces.Contract, label: "Contract" },
];

/** Returns the interfaces of a bitmap: "Website or app, API". */
export const interfaceText = (bitmap: number): string =>
  interfaceChoices.flatMap(({ bit, label }) => ((bitmap & bit) === 0 ? [] : [label])).join(", ");

/** Returns the kind of a service: its types of API, or else its interfaces. */
export const kindText = ({ traits, interfaces }: { traits: readonly string[]; interfaces: number }): string =>
  apiTypes.flatMap(({ trait, label }) => (traits.includes(trait) ? [label] : [])).join(", ") ||
  interfaceText(interfaces);

/** Shortens an address or a hash: 0x1234…abcd. */
export const shortHex = (hex: string): string => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

type IdentifierProps = {
  text: string;
  /** Accessible name of the copy button. */
  label: string;
  copy?: boolean | undefined;
};

/** Renders an identifier in full, as one text: a cut could hide the part in which two differ. */
const Identifier = ({ text, label, copy = true }: IdentifierProps) => (
  <span>
    <code className="identifier" dir="ltr" translate="no">
      {text}
    </code>
    {copy ? <CopyButton text={text} label={label} /> : null}
  </span>
);

type DidTextProps = { did: string; copy?: boolean };

/** Renders a canonical or versioned DID. */
export const DidText = ({ did, copy }: DidTextProps) => (
  <Identifier text={did} label="Copy the DID" copy={copy} />
);

type HashTextProps = {
  /** 0x-prefixed hash. */
  hash: string;
  /** Kind of hash: "dataHash", "transaction hash". */
  label?: string;
};

/** Renders a hash. */
export const HashText = ({ hash, label = "hash" }: HashTextProps) => (
  <Identifier text={hash} label={`Copy the ${label}`} />
);

type AddressTextProps = {
  /** Checksummed address. */
  address: string;
  /** ENS name, if an RPC for it is configured and the name resolves to this address. */
  ensName?: string | undefined;
  copy?: boolean;
};

/** Renders an account's address after its ENS name, if it has one. */
export function AddressText({ address, ensName, copy }: AddressTextProps) {
  return (
    <span className="row">
      {ensName === undefined ? null : <bdi>{visibleText(ensName)}</bdi>}
      <Identifier text={address} label="Copy the address" copy={copy} />
    </span>
  );
}

/**
 * Renders a sentence with its times, and with the addresses of accounts in monospace and with copy buttons. A full stop
 * or comma stays on the line of the button before it.
 */
export const AddressedText = ({ text }: { text: string }) =>
  text.split(/(0x[0-9a-fA-F]{40}\b[.,]?)/).map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no identity and never change
      <TimedText key={index} text={part} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <span key={index}>
        <Identifier text={part.slice(0, 42)} label="Copy the address" />
        {part.slice(42)}
      </span>
    ),
  );
