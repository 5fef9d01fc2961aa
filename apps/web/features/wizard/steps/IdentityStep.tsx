"use client";

import { formatVersion, nextVersions, parseDid } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { useDraftControl } from "../control/ControlContext.tsx";
import { getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { Field } from "../fields/Field.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { RegisteredNotice } from "./RegisteredNotice.tsx";
import { StatusField } from "./StatusField.tsx";

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
