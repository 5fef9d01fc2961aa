import { Identifier } from "./Identifier.tsx";

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
