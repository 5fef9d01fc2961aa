import Link from "next/link";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./identifiers.module.css";
import { visibleText } from "./visibleText.ts";

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
function Identifier({ text, tail, href, copyLabel, inRow = false }: IdentifierProps) {
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

type DidTextProps = {
  /** A canonical DID, or a versioned one. */
  did: string;
  /** Link inside this site, e.g. from `appPath(did)`. */
  href?: string;
  /** Offers a copy button. */
  copy?: boolean;
  /** In a list row: no copy button and no stop for the keyboard. */
  inRow?: boolean;
};

/** A canonical DID: cut in the middle where it must be, in full on focus, copied whole. */
export function DidText({ did, href, copy = true, inRow = false }: DidTextProps) {
  return (
    <Identifier
      text={did}
      tail={10}
      {...(href === undefined ? {} : { href })}
      inRow={inRow}
      {...(copy && !inRow ? { copyLabel: "Copy the DID" } : {})}
    />
  );
}

type HashTextProps = {
  /** 0x-prefixed hash. */
  hash: string;
  /** What it is, for the copy button: "dataHash", "transaction hash". */
  label?: string;
  copy?: boolean;
};

/** A hash: its end stays visible, because that is what people compare. */
export function HashText({ hash, label = "hash", copy = true }: HashTextProps) {
  return <Identifier text={hash} tail={8} {...(copy ? { copyLabel: `Copy the ${label}` } : {})} />;
}

type AddressTextProps = {
  /** Checksummed address. */
  address: string;
  /** ENS name, when an RPC for it is configured and the name resolves back to this address. */
  ensName?: string | undefined;
  href?: string;
  copy?: boolean;
};

/** An account's address, after its ENS name where it has one. */
export function AddressText({ address, ensName, href, copy = true }: AddressTextProps) {
  return (
    <span className="row">
      {ensName === undefined ? null : <bdi>{visibleText(ensName)}</bdi>}
      <Identifier
        text={address}
        tail={6}
        {...(href === undefined ? {} : { href })}
        {...(copy ? { copyLabel: "Copy the address" } : {})}
      />
    </span>
  );
}
