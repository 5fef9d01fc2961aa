"use client";

import { useState } from "react";

type PictureProps = {
  /** Path of the picture's copy on this site. */
  source: string;
  alt: string;
};

/**
 * Shows a publisher's picture once it is near the window. Shows a note if it fails to load, unless the picture is
 * decorative.
 */
export function Picture({ source, alt }: PictureProps) {
  const [isFailed, setFailed] = useState(false);
  if (isFailed) return alt === "" ? null : <span className="quiet">{alt}: couldn't be loaded.</span>;
  return (
    // biome-ignore lint/performance/noImgElement: the route has drawn it in its size already
    <img
      src={source}
      alt={alt}
      loading="lazy"
      onError={() => setFailed(true)}
      ref={(image) => {
        // The image may have failed before this script ran, without an error event.
        if (image?.complete && image.naturalWidth === 0) setFailed(true);
      }}
    />
  );
}
