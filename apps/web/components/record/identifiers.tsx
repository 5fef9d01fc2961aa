import { visibleText } from "@app-registry/sdk";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./record.module.css";

type IdentifierProps = {
  /** The whole text: it is what a person selects, hears and copies. */
  text: string;
  /** Characters that stay visible at the end when the middle is cut. */
  tail: number;
  /** Name of the copy button. */
  label: string;
  copy?: boolean | undefined;
};

/** A machine's name on one line. When it does not fit, its middle is cut, never its end. On focus it shows in full. */
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

/** A canonical DID, or a versioned one. */
export function DidText({ did, copy }: DidTextProps) {
  return <Identifier text={did} tail={10} label="Copy the DID" copy={copy} />;
}

type HashTextProps = {
  /** 0x-prefixed hash. */
  hash: string;
  /** What it is: "dataHash", "transaction hash". */
  label?: string;
};

/** A hash: its end stays visible, because that is what people compare. */
export function HashText({ hash, label = "hash" }: HashTextProps) {
  return <Identifier text={hash} tail={8} label={`Copy the ${label}`} />;
}

type AddressTextProps = {
  /** Checksummed address. */
  address: string;
  /** ENS name, when an RPC for it is configured and the name resolves back to this address. */
  ensName?: string | undefined;
  copy?: boolean;
};

/** An account's address, after its ENS name where it has one. */
export function AddressText({ address, ensName, copy }: AddressTextProps) {
  return (
    <span className="row">
      {ensName === undefined ? null : <bdi>{visibleText(ensName)}</bdi>}
      <Identifier text={address} tail={6} label="Copy the address" copy={copy} />
    </span>
  );
}
