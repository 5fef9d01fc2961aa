import { Identifier } from "./Identifier.tsx";

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
