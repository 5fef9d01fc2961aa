import { appPath, formatVersion, type Version } from "@app-registry/sdk";
import { Anchor, Spoiler } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Problem } from "../../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../../components/record/readRecordedDocument.ts";
import { QueryBoundary } from "../../wallet/QueryBoundary.tsx";
import type { DraftProblem } from "../draft/problems.ts";
import { fieldLabel } from "../draft/screens.ts";
import { Group } from "../fields/Fields.tsx";
import { RecordName } from "../source/dids.tsx";
import { useWizard } from "../WizardContext.tsx";

/** Lists open problems, each with a link to its field. */
export function ProblemLinks({ problems }: { problems: readonly DraftProblem[] }) {
  const { showField } = useWizard();
  return (
    <ul className="stack">
      {problems.map(({ field, message }) => (
        <li key={field + message}>
          <Anchor component="button" type="button" ta="left" onClick={() => showField(field)}>
            {fieldLabel(field)}: {message}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}

/** Notes that a draft's DID is already registered, unless the draft follows that record. */
export function RegisteredNotice() {
  const { draft, registered, follows } = useWizard();
  if (registered?.latestMajor === undefined) return null;
  const { did, latestMajor, record } = registered;
  if (record && follows?.did === did) return null;
  const next = `/register?${new URLSearchParams({ did, major: String(latestMajor) })}`;
  return (
    <Problem
      tone="neutral"
      level={3}
      title={record ? "This DID is already registered" : `Major version ${latestMajor} is already registered`}
      why={
        record ? (
          <>
            Publishing adds a new version of <RecordName did={did} />. It doesn't register another service.
          </>
        ) : (
          `Publishing ${draft.version} creates a separate record. The record of major version ${latestMajor} stays as it is.`
        )
      }
      action={
        <div className="bar">
          <a href={appPath(did)}>View service</a>
          {follows ? null : <a href={next}>Publish from its current version</a>}
        </div>
      }
    />
  );
}

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
            <Spoiler maxHeight={480} showLabel="Show all changes" hideLabel="Show fewer changes">
              <DiffView before={document} after={draft.metadata} />
            </Spoiler>
          </Suspense>
        )}
      </QueryBoundary>
    </Group>
  );
}
