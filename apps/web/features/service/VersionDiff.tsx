"use client";

import type { Version } from "@app-registry/sdk";
import { useEffect, useState } from "react";
import { LinkButton } from "../../components/controls/controls.tsx";
import { DiffView } from "../../components/record/DiffView.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";

type VersionDiffProps = { did: string; from: Version; to: Version };

type Reading =
  | { state: "reading" }
  | { state: "read"; before: unknown; after: unknown }
  | { state: "failed"; why: string };

async function readBoth({ did, from, to }: VersionDiffProps): Promise<Reading> {
  try {
    const documents = [readRecordedDocument(did, from), readRecordedDocument(did, to)];
    const [before, after] = await Promise.all(documents);
    return { state: "read", before, after };
  } catch (error) {
    return { state: "failed", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Loads the documents of two versions and shows their differences. */
export default function VersionDiff({ did, from, to }: VersionDiffProps) {
  const [reading, setReading] = useState<Reading>({ state: "reading" });
  useEffect(() => {
    if (reading.state === "reading") void readBoth({ did, from, to }).then(setReading);
  }, [reading.state, did, from, to]);

  if (reading.state === "reading") return <p role="status">Comparing versions…</p>;
  if (reading.state === "read") return <DiffView before={reading.before} after={reading.after} />;
  return (
    <Problem
      level={3}
      tone="unknown"
      title="Couldn't compare the documents"
      why={reading.why}
      action={<LinkButton onClick={() => setReading({ state: "reading" })}>Read them again</LinkButton>}
    />
  );
}
