import { Fragment } from "react";
import styles from "./ReasonText.module.css";
import { dateTimeText } from "./time.ts";
import { visibleText } from "./visibleText.ts";

/** Addresses and hashes, and times as the sdk writes them. */
const marked = /(0x[0-9a-fA-F]{40,64}\b|\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)/;

/** A sentence of the sdk's: its hashes shortened (the evidence has them whole), its times as they stand elsewhere. */
export function ReasonText({ text }: { text: string }) {
  return (
    <bdi>
      {visibleText(text)
        .split(marked)
        .map((part, index) => {
          const key = `${index}-${part}`;
          if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
          if (part.startsWith("0x")) {
            return (
              <code key={key} className={styles.hex} title={part}>
                {part.slice(0, 6)}…{part.slice(-4)}
              </code>
            );
          }
          return (
            <time key={key} dateTime={part}>
              {dateTimeText(new Date(part))}
            </time>
          );
        })}
    </bdi>
  );
}
