import { createProposal } from "@app-registry/outbound/fill";
import {
  type CapabilityChange,
  formatVersion,
  nextVersions,
  proposeVersion,
  raiseVersion,
  type VersionProposal,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import type { FieldSpec } from "../draft/fields.ts";
import { screens } from "../draft/screens.ts";
import { Fields, Group } from "../fields/Fields.tsx";
import { type FollowedVersion, useWizard } from "../WizardContext.tsx";
import { ProblemLinks, PublishedChanges, RegisteredNotice } from "./notices.tsx";

/** Shows what is still missing after a reading or a choice. For a new version, also shows its changes and number. */
export function NextStep() {
  const { draft, follows } = useWizard();
  const { discovery, chosen } = draft;
  const isBegun = draft.interfaces !== 0 || discovery !== null;
  const isChosen = discovery?.findings.length === 0 || getChosenFinding(draft) !== undefined;
  return (
    <>
      <RegisteredNotice />
      {follows ? <Changes follows={follows} /> : null}
      {isChosen ? <Texts key={`${discovery?.input} ${chosen?.key}`} /> : null}
      {isBegun ? <Missing hasTexts={isChosen} /> : null}
    </>
  );
}

/** Lists every open problem with a link to its field, or offers the review if nothing is open. */
function Missing({ hasTexts }: { hasTexts: boolean }) {
  const { problems, goTo } = useWizard();
  if (problems.length === 0) {
    return (
      <Group title="Ready to review">
        <p>
          <StatusMark outcome="pass" /> All required fields are filled in.
        </p>
        <div>
          <Button onClick={() => goTo("review")}>Review</Button>
        </div>
      </Group>
    );
  }
  return (
    <Group title="To fix before publishing">
      <ProblemLinks problems={problems.filter(({ field }) => !hasTexts || getSpec(field) === undefined)} />
    </Group>
  );
}

const texts = (screens.about.content ?? []).filter((part): part is FieldSpec => "at" in part);
const getSpec = (field: string) => texts.find(({ at }) => at === field);

/** Renders fields for texts that were not found or only suggested. A field stays visible once it was shown. */
function Texts() {
  const { problems, draft, follows } = useWizard();
  const [asked, setAsked] = useState<readonly FieldSpec[]>([]);
  const { discovery } = draft;
  const finding = getChosenFinding(draft);
  const proposed = useMemo(
    () => (discovery && finding ? createProposal(discovery, finding).proposed : []),
    [discovery, finding],
  );
  const open = [...problems.map(({ field }) => field), ...(follows ? [] : proposed)];
  const added = new Set(
    open.flatMap((field) => getSpec(field) ?? []).filter((spec) => !asked.includes(spec)),
  );
  if (added.size > 0) setAsked([...asked, ...added]);
  if (asked.length === 0) return null;
  return (
    <Group
      title="Describe your service"
      help="We couldn't find these at your address. Any text already here is only a suggestion."
    >
      <Fields fields={texts.flatMap((spec) => (asked.includes(spec) ? [{ ...spec, required: true }] : []))} />
    </Group>
  );
}

/**
 * Returns the part of the version that the draft's changes to the published version raise, with the next version that
 * the record and its history allow.
 */
function useProposal(): { proposal: VersionProposal | undefined; next: string | undefined } {
  const { draft, registered, follows, publication } = useWizard();
  const isReadable = publication.canonical !== undefined;
  const proposal = useMemo(
    () =>
      isReadable && follows?.metadata !== undefined
        ? proposeVersion(
            { metadata: follows.metadata, interfaces: follows.interfaces },
            { metadata: draft.metadata, interfaces: draft.interfaces },
          )
        : undefined,
    [isReadable, follows, draft.metadata, draft.interfaces],
  );
  if (!proposal || !follows || registered?.latestMajor === undefined) return { proposal, next: undefined };
  const { record, latestMajor } = registered;
  const { version } = follows;
  // A new major version has no record yet, so only the published version determines the next one.
  const isSameMajor = record?.version.major === version.major;
  const present = isSameMajor ? record : { version, versionOrder: "rising" as const, published: [] };
  const found = raiseVersion(nextVersions(present, latestMajor), proposal.part);
  return { proposal, next: found && formatVersion(found) };
}

/** Sets the version that the draft's changes ask for, until the user chooses one. Renders nothing. */
export function VersionDefault() {
  const { dispatch, readOnly } = useWizard();
  const { next: version } = useProposal();
  useEffect(() => {
    if (version !== undefined && !readOnly) dispatch({ type: "proposeVersion", version });
  }, [version, readOnly, dispatch]);
  return null;
}

const asks: Record<VersionProposal["part"], string> = {
  major: "This may break existing callers, so it needs a new major version.",
  minor: "This adds something, so it needs a new minor version.",
  patch:
    "No endpoint, tool, resource, prompt or skill is added or removed, so a new patch version is enough.",
};

function Changes({ follows }: { follows: FollowedVersion }) {
  const { draft, dispatch, readOnly, publication } = useWizard();
  const { proposal, next } = useProposal();
  if (follows.metadata === undefined || publication.canonical === undefined) return null;
  if (proposal === undefined) {
    return (
      <Group title="What changes">
        <p role="status">No changes yet compared with {formatVersion(follows.version)}.</p>
      </Group>
    );
  }
  const shown = proposal.changes.filter(({ change, breaks }) => breaks !== undefined || change !== "changed");
  return (
    <>
      <Group title="Suggested version" help={asks[proposal.part]}>
        {shown.length === 0 ? null : (
          <ul className="anywhere">
            {shown.slice(0, MAX_SHOWN).map((change) => (
              <li key={change.kind + change.name}>{changeText(change)}</li>
            ))}
            {shown.length > MAX_SHOWN ? <li>and {shown.length - MAX_SHOWN} more</li> : null}
          </ul>
        )}
        {next === undefined ? null : next === draft.version ? (
          <p className="soft">Version {next} selected.</p>
        ) : (
          <div className="bar">
            <span className="soft">Currently set to {draft.version}.</span>
            <Button
              variant="default"
              size="compact-sm"
              disabled={readOnly}
              onClick={() => dispatch({ type: "field", field: "version", value: next })}
            >
              Use {next}
            </Button>
          </div>
        )}
      </Group>
      <PublishedChanges did={follows.did} version={follows.version} />
    </>
  );
}

const MAX_SHOWN = 12;

function changeText({ kind, name, change, breaks }: CapabilityChange): string {
  const what = kind === "instructions" ? "The text of instructions" : `The ${kind} ${name}`;
  if (change === "added") return `${what} was added.`;
  if (change === "removed") return `${what} was removed.`;
  return `${what} changed: ${breaks}.`;
}
