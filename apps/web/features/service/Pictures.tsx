"use client";

import { useState } from "react";
import { Picture } from "../../components/record/Picture.tsx";
import styles from "./pictures.module.css";

/** Shows screenshots. Omits those that fail to load. */
export function Pictures({ urls }: { urls: readonly string[] }) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const fail = (url: string) => setFailed((before) => new Set([...before, url]));
  const pictures = urls.map((url, index) => ({
    url,
    alt: `Screenshot ${index + 1} provided by the publisher`,
  }));
  const shown = pictures.filter(({ url }) => !failed.has(url));
  if (shown.length === 0) {
    return (
      <p className="quiet">
        This site couldn't get the publisher's pictures, or doesn't draw their type. It draws PNG, JPEG, WebP,
        AVIF and GIF.
      </p>
    );
  }
  return (
    <ul className={styles.pictures}>
      {shown.map(({ url, alt }) => (
        <li key={url} className={styles.screenshot}>
          <Picture source={url} alt={alt} onFail={() => fail(url)} />
        </li>
      ))}
    </ul>
  );
}
