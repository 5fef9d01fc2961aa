"use client";

import type { Version } from "@app-registry/sdk";
import { lazy, Suspense, useState } from "react";

// Few readers open this, so the code that compares documents is loaded on demand.
const VersionDiff = lazy(() =>
  import("../../components/record/DiffView.tsx").then((module) => ({ default: module.VersionDiff })),
);

type VersionChangesProps = { did: string; from: Version; to: Version; title: string };

/** Shows the changes of a version in a fold. Both documents are loaded when it is opened. */
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
