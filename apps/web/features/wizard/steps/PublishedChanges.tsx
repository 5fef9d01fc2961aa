"use client";

import { formatVersion, type Version } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { DiffView } from "../../../components/record/DiffView.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../../components/record/readRecordedDocument.ts";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** What the draft changes in the document that is published now. */
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
    <Group title="What changes" help={`Your document beside that of ${current}.`}>
      {published.isPending ? (
        <p className="soft small" role="status">
          Reading the document of {current}
        </p>
      ) : null}
      {published.isError ? (
        <Problem
          level={3}
          tone="unknown"
          title={`The document of ${current} can't be read now`}
          why={`${published.error.message} You can publish without it.`}
          action={<Button onClick={() => void published.refetch()}>Read it again</Button>}
        />
      ) : null}
      {published.isSuccess ? <DiffView before={published.data} after={draft.metadata} /> : null}
    </Group>
  );
}
