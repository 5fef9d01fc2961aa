"use client";

import { useState } from "react";
import styles from "./pictures.module.css";

type PicturesProps = {
  /** URL of the icon's copy on this site. */
  icon: string | undefined;
  screenshots: readonly string[];
};

/** Shows pictures. Omits those that fail to load. */
export function Pictures({ icon, screenshots }: PicturesProps) {
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const fail = (url: string) => setFailed((before) => (before.has(url) ? before : new Set([...before, url])));
  const pictures = [
    ...(icon === undefined ? [] : [{ url: icon, style: styles.icon, alt: "Icon provided by the publisher" }]),
    ...screenshots.map((url, index) => ({
      url,
      style: styles.screenshot,
      alt: `Screenshot ${index + 1} provided by the publisher`,
    })),
  ];
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
      {shown.map(({ url, style, alt }) => (
        <li key={url} className={style}>
          {/* biome-ignore lint/performance/noImgElement: the route has drawn it in its size already */}
          <img
            src={url}
            alt={alt}
            loading="lazy"
            onError={() => fail(url)}
            ref={(image) => {
              // The image may have failed before this script ran, without an error event.
              if (image?.complete && image.naturalWidth === 0) fail(url);
            }}
          />
        </li>
      ))}
    </ul>
  );
}
