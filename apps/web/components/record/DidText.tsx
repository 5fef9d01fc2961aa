import { Identifier } from "./Identifier.tsx";

type DidTextProps = {
  /** A canonical DID, or a versioned one. */
  did: string;
  /** Link inside this site, e.g. from `appPath(did)`. */
  href?: string;
  /** Offers a copy button; leave it away in list rows. */
  copy?: boolean;
};

/** A canonical DID: cut in the middle where it must be, in full on focus, copied whole. */
export function DidText({ did, href, copy = true }: DidTextProps) {
  return (
    <Identifier
      text={did}
      tail={10}
      {...(href === undefined ? {} : { href })}
      {...(copy ? { copyLabel: "Copy the DID" } : {})}
    />
  );
}
