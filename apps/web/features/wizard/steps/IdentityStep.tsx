import {
  type AppStatus,
  appStatusLabels,
  type Did,
  formatVersion,
  nextVersions,
  parseDid,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import type { Draft } from "../draft/draft.ts";
import { getMetadataField } from "../draft/fields.ts";
import { Field, Group } from "../fields/Fields.tsx";
import { Choice } from "../fields/inputs.tsx";
import { useWizard } from "../WizardContext.tsx";
import { RegisteredNotice } from "./notices.tsx";

/** Renders the fields for the service's DID, version and status, and the check of control. */
export default function IdentityStep() {
  const { did, draft, registered } = useWizard();
  const hasNotes = registered?.record !== undefined || draft.metadata.releaseNotes !== undefined;
  return (
    <>
      {did !== undefined && did !== draft.did.trim() ? (
        <p className="bar anywhere">
          <span className="soft small">Will be registered as</span> <code>{did}</code>
        </p>
      ) : null}
      <PortNote />
      <RegisteredNotice />
      <VersionChoices />
      {/* A first version has nothing to compare with. */}
      {hasNotes ? <Field {...getMetadataField("releaseNotes")} /> : null}
      <StatusField />
      <Control />
    </>
  );
}

type FillButtonProps = { field: "did" | "version"; value: string; label?: string };

function FillButton({ field, value, label = value }: FillButtonProps) {
  const { dispatch, readOnly } = useWizard();
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={readOnly}
      onClick={() => dispatch({ type: "field", field, value })}
    >
      {label}
    </Button>
  );
}

/** Warns about a number after the host: it is a path, but users usually mean a port, which requires %3A. */
function PortNote() {
  const [, host, port] = /^did:web:([^:%]+):(\d{2,5})$/.exec(useWizard().did ?? "") ?? [];
  if (host === undefined || port === undefined) return null;
  const meant = `did:web:${host}%3A${port}`;
  return (
    <div className="bar anywhere">
      <span className="small">{port} is read as a path. If you mean a port, use %3A:</span>
      <FillButton field="did" value={meant} label={`Use ${meant}`} />
    </div>
  );
}

function VersionChoices() {
  const { registered } = useWizard();
  if (registered?.latestMajor === undefined) return null;
  const { record, latestMajor } = registered;
  return (
    <div className="bar anywhere">
      <span className="soft small">
        {record
          ? `Current version: ${formatVersion(record.version)}. Choose the next one:`
          : `Latest major version: ${latestMajor}. Next:`}
      </span>
      {Object.values(nextVersions(record, latestMajor))
        .map(formatVersion)
        .map((version) => (
          <FillButton key={version} field="version" value={version} />
        ))}
    </div>
  );
}

/** Proof of control of each method, in words. */
const proofTexts: Record<Did["method"], string> = {
  web: "The registry's issuer looks for your wallet in your domain's did.json file. If it isn't there, we show you the file to publish.",
  pkh: "The registry's issuer reads the contract's owner, which must be your wallet.",
};

function Control() {
  const { did, control } = useWizard();
  const { address } = useWallet();
  if (did === undefined) return null;
  if (!address) {
    return (
      <p className="soft small">Connect the wallet you'll publish with to check that it controls this DID.</p>
    );
  }
  return (
    <Group
      title="Control of the DID"
      help={`${proofTexts[parseDid(did).method]} The issuer checks again when you publish.`}
    >
      <ControlCheck did={did} account={address} control={control} />
    </Group>
  );
}

const descriptions: Record<AppStatus, string> = {
  0: "After publishing, a second transaction makes the record Active again. The metadata will no longer name a successor.",
  1: "After publishing, a second transaction marks the record as Deprecated.",
  2: "After publishing, a second transaction marks the record as Replaced. This version names the successor.",
};

/** Renders the status of the record after its next version, and the service that replaces it. */
function StatusField() {
  const { draft, registered } = useWizard();
  const { replacedBy, deprecation } = draft.metadata;
  const status = registered?.record?.status;
  if (status === undefined && replacedBy === undefined && deprecation === undefined) return null;
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
          choices={([0, 1, 2] as const).map((each) => ({
            value: each === status ? "" : (String(each) as Draft["status"]),
            label: appStatusLabels[each],
            description: each === status ? "No change." : descriptions[each],
          }))}
        />
      )}
      {becomes === "1" || becomes === "2" || deprecation !== undefined ? (
        <Field {...getMetadataField("deprecation")} />
      ) : null}
      {becomes === "2" || replacedBy !== undefined ? <Field {...getMetadataField("replacedBy")} /> : null}
    </Group>
  );
}
