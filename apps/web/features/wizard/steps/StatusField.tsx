"use client";

import { type AppStatus, appStatusLabels } from "@app-registry/sdk";
import type { Draft } from "../draft/draft.ts";
import { getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** Descriptions of the statuses that a record does not have yet. */
const descriptions: Record<AppStatus, string> = {
  0: "After publishing, a second transaction makes the record Active again. The metadata will no longer name a successor.",
  1: "After publishing, a second transaction marks the record as Deprecated.",
  2: "After publishing, a second transaction marks the record as Replaced. This version names the successor.",
};

/** Renders the status of the record after its next version, and the service that replaces it. */
export function StatusField() {
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
