import { visibleText } from "@app-registry/sdk";
import { CopyButton } from "./CopyButton.tsx";
import { TimedText } from "./labels.tsx";
import styles from "./record.module.css";

type IdentifierProps = {
  /** Full text. Readers select, hear and copy all of it. */
  text: string;
  /** Number of characters at the end that are never cut. */
  tail: number;
  /** Accessible name of the copy button. */
  label: string;
  copy?: boolean | undefined;
};

/** Renders an identifier on one line. If it does not fit, its middle is cut. On focus it is shown in full. */
function Identifier({ text, tail, label, copy = true }: IdentifierProps) {
  const cut = Math.max(0, text.length - tail);
  return (
    <span className={styles.identifier}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on focus it shows in full what is cut */}
      <code tabIndex={0} translate="no">
        <span>{text.slice(0, cut)}</span>
        <span>{text.slice(cut)}</span>
      </code>
      {copy ? <CopyButton text={text} label={label} /> : null}
    </span>
  );
}

type DidTextProps = { did: string; copy?: boolean };

/** Renders a canonical or versioned DID, in full: a cut could hide the part in which two DIDs differ. */
export const DidText = ({ did, copy = true }: DidTextProps) => (
  <WholeText text={did} label="Copy the DID" copy={copy} />
);

/** Renders the address of a contract that a DID names, in full like the DID. */
export const ContractText = ({ address }: { address: string }) => (
  <WholeText text={address} label="Copy the address" />
);

function WholeText({ text, label, copy = true }: Omit<IdentifierProps, "tail">) {
  return (
    <span className={styles.did}>
      <code translate="no">{text}</code>
      {copy ? <CopyButton text={text} label={label} /> : null}
    </span>
  );
}

type HashTextProps = {
  /** 0x-prefixed hash. */
  hash: string;
  /** Kind of hash: "dataHash", "transaction hash". */
  label?: string;
};

/** Renders a hash. Its end stays visible, because readers compare it. */
export function HashText({ hash, label = "hash" }: HashTextProps) {
  return <Identifier text={hash} tail={8} label={`Copy the ${label}`} />;
}

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
      <Identifier text={address} tail={6} label="Copy the address" copy={copy} />
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
      <span key={index} className={styles.identifier} style={{ gap: 0 }}>
        <AddressText address={part.slice(0, 42)} />
        {part.slice(42)}
      </span>
    ),
  );
