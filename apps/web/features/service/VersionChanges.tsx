"use client";

import type { Version } from "@app-registry/sdk";
import { lazy, Suspense, useState } from "react";

// Few readers ask, so what it takes to compare documents is loaded for those alone.
const VersionDiff = lazy(() => import("./VersionDiff.tsx"));

type VersionChangesProps = { did: string; from: Version; to: Version; title: string };

/** What a version changed in the metadata; both documents are read when a person asks. */
export function VersionChanges({ title, ...versions }: VersionChangesProps) {
  const [asked, setAsked] = useState(false);
  return (
    <details className="fold" onToggle={() => setAsked(true)}>
      <summary>{title}</summary>
      {asked ? (
        <Suspense fallback={<p role="status">Comparing versions…</p>}>
          <VersionDiff {...versions} />
        </Suspense>
      ) : null}
    </details>
  );
}
