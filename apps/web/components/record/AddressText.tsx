import styles from "./AddressText.module.css";
import { Identifier } from "./Identifier.tsx";
import { visibleText } from "./visibleText.ts";

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
    <span className={styles.address}>
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
