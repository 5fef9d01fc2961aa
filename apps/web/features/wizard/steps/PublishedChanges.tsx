"use client";

import { formatVersion, type Version } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { readRecordedDocument } from "../../../components/record/readRecordedDocument.ts";
import { QueryBoundary } from "../../wallet/QueryBoundary.tsx";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

// Load the code that compares documents only for a new version.
const DiffView = lazy(() =>
  import("../../../components/record/DiffView.tsx").then((module) => ({ default: module.DiffView })),
);

/** Shows the draft's changes to the published document. */
export function PublishedChanges({ did, version }: { did: string; version: Version }) {
  const { draft } = useWizard();
  const current = formatVersion(version);
  const published = useQuery({
    queryKey: ["document", did, current],
    queryFn: () => readRecordedDocument(did, version),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Group title="What changes" help={`Your draft compared with ${current}.`}>
      <QueryBoundary
        query={published}
        asking={`Loading the document of ${current}…`}
        failed={`Couldn't load the document of ${current}`}
        otherwise="You can still publish."
        level={3}
      >
        {(document) => (
          <Suspense fallback={<p role="status">Comparing documents…</p>}>
            <DiffView before={document} after={draft.metadata} />
          </Suspense>
        )}
      </QueryBoundary>
    </Group>
  );
}
