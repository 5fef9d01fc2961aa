import { visibleText } from "@app-registry/sdk";
import { CopyButton } from "./CopyButton.tsx";
import { TimedText } from "./labels.tsx";

type IdentifierProps = {
  text: string;
  /** Accessible name of the copy button. */
  label: string;
  copy?: boolean | undefined;
};

/** Renders an identifier in full, as one text: a cut could hide the part in which two differ. */
const Identifier = ({ text, label, copy = true }: IdentifierProps) => (
  <span>
    <code className="anywhere" style={{ marginRight: 4 }} dir="ltr" translate="no">
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
