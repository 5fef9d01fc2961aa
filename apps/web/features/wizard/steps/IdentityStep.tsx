"use client";

import { type AppStatus, appStatusLabels, formatVersion, nextVersions, parseDid } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { useDraftControl } from "../control/ControlContext.tsx";
import type { Draft } from "../draft/draft.ts";
import { getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { RegisteredNotice } from "./RegisteredNotice.tsx";

/** Renders the fields for the service's DID, version and status, and the check of control. */
export function IdentityStep() {
  const { draft } = useWizard();
  const did = canonicalDid(draft.did);
  return (
    <>
      {did !== undefined && did !== draft.did.trim() ? (
        <p className="bar anywhere">
          <span className="soft small">Will be registered as</span> <code>{did}</code>
        </p>
      ) : null}
      <PortNote did={did} />
      <RegisteredNotice />
      <VersionChoices />
      <ReleaseNotes />
      <StatusField />
      <Control did={did} />
    </>
  );
}

/** Warns about a number after the host: it is a path, but users usually mean a port, which requires %3A. */
function PortNote({ did }: { did: string | undefined }) {
  const { dispatch, readOnly } = useWizard();
  const [, host, port] = /^did:web:([^:%]+):(\d{2,5})$/.exec(did ?? "") ?? [];
  if (host === undefined || port === undefined) return null;
  const meant = `did:web:${host}%3A${port}`;
  return (
    <div className="bar anywhere">
      <span className="small">{port} is read as a path. If you mean a port, use %3A:</span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={readOnly}
        onClick={() => dispatch({ type: "field", field: "did", value: meant })}
      >
        Use {meant}
      </Button>
    </div>
  );
}

/** Shows the current version and offers the versions that may follow. */
function VersionChoices() {
  const { registered, draft, dispatch, readOnly } = useWizard();
  if (registered?.latestMajor === undefined || registered.did !== canonicalDid(draft.did)) return null;
  const { record, latestMajor } = registered;
  const next = Object.values(nextVersions(record, latestMajor));
  return (
    <div className="bar anywhere">
      <span className="soft small">
        {record
          ? `Current version: ${formatVersion(record.version)}. Choose the next one:`
          : `Latest major version: ${latestMajor}. Next:`}
      </span>
      {next.map(formatVersion).map((version) => (
        <Button
          key={version}
          size="compact-sm"
          variant="default"
          disabled={readOnly}
          onClick={() => dispatch({ type: "field", field: "version", value: version })}
        >
          {version}
        </Button>
      ))}
    </div>
  );
}

/** Renders the release notes. A first version has nothing to compare with. */
function ReleaseNotes() {
  const { registered } = useWizard();
  const notes = useMetadata("/releaseNotes");
  if (registered?.record === undefined && notes === undefined) return null;
  return <Field {...getMetadataField("releaseNotes")} />;
}

function Control({ did }: { did: string | undefined }) {
  const { address } = useWallet();
  const control = useDraftControl();
  if (did === undefined) return null;
  if (!address) {
    return (
      <p className="soft small">Connect the wallet you'll publish with to check that it controls this DID.</p>
    );
  }
  const isWeb = parseDid(did).method === "web";
  return (
    <Group
      title="Control of the DID"
      help={
        isWeb
          ? `The registry's issuer looks for your wallet in your domain's did.json file. If it isn't there, we show you the file to publish. The issuer checks again when you publish.`
          : "The registry's issuer reads the contract's owner, which must be your wallet. The issuer checks again when you publish."
      }
    >
      <ControlCheck did={did} account={address} control={control} />
    </Group>
  );
}

/** Descriptions of the statuses that a record does not have yet. */
const descriptions: Record<AppStatus, string> = {
  0: "After publishing, a second transaction makes the record Active again. The metadata will no longer name a successor.",
  1: "After publishing, a second transaction marks the record as Deprecated.",
  2: "After publishing, a second transaction marks the record as Replaced. This version names the successor.",
};

/** Renders the status of the record after its next version, and the service that replaces it. */
function StatusField() {
  const { draft, dispatch, registered } = useWizard();
  const successor = useMetadata("/replacedBy");
  const deprecation = useMetadata("/deprecation");
  const isRead = registered !== undefined && registered.did === canonicalDid(draft.did);
  const status = isRead ? registered.record?.status : undefined;
  if (status === undefined && successor === undefined && deprecation === undefined) return null;
  const choose = (value: string) => {
    dispatch({ type: "field", field: "status", value: value as Draft["status"] });
    if (value === "0") dispatch({ type: "set", pointer: "/replacedBy", value: undefined });
  };
  const becomes = draft.status === "" ? String(status) : draft.status;
  const help =
    status === undefined
      ? "The metadata contains a deprecation reason or a successor. Clear the field if that no longer applies."
      : status === 0
        ? "The record stays Active unless you choose another status."
        : `This record is ${appStatusLabels[status]}. Publishing a version doesn't change that. You can reactivate the record here.`;
  return (
    <Group title="Record status" help={help}>
      {status === undefined ? null : (
        <Choice
          at="status"
          label="Status after this version"
          onChoice={choose}
          choices={([0, 1, 2] as const).map((each) => ({
            value: each === status ? "" : String(each),
            label: appStatusLabels[each],
            description: each === status ? "No change." : descriptions[each],
          }))}
        />
      )}
      {becomes === "1" || becomes === "2" || deprecation !== undefined ? (
        <Field {...getMetadataField("deprecation")} />
      ) : null}
      {becomes === "2" || successor !== undefined ? <Field {...getMetadataField("replacedBy")} /> : null}
    </Group>
  );
}
