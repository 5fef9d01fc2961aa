"use client";

import { type AppStatus, statusNames } from "@app-registry/sdk";
import { SUCCESSOR_RULE } from "@app-registry/sdk/internal";
import type { Draft } from "../draft/draft.ts";
import { canonicalDid } from "../draft/problems.ts";
import { Choice } from "../fields/Choice.tsx";
import { Field } from "../fields/Field.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** What each status says of a record that does not have it yet. */
const descriptions: Record<AppStatus, string> = {
  0: "Reactivates the record once the version is published, by a second transaction. Its metadata then names no successor.",
  1: "Advises against the record once the version is published, by a second transaction.",
  2: "Marks the record once the version is published, by a second transaction. The version names the successor.",
};

/** The status that a record has after its next version, and the service that takes its place. */
export function StatusChoice() {
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
      ? "The metadata says that the service is not to be used any more, or names a successor. Empty the field, unless that is so."
      : status === 0
        ? "A new version leaves the record Active, unless you choose another status here."
        : `This record is ${statusNames[status]}, and a new version alone leaves it so. You can reactivate it here.`;
  return (
    <Group title="Status of the record" help={help}>
      {status === undefined ? null : (
        <Choice
          at="status"
          label="Status after this version"
          onChoice={choose}
          choices={([0, 1, 2] as const).map((each) => ({
            value: each === status ? "" : String(each),
            label: statusNames[each],
            description: each === status ? "As it is now." : descriptions[each],
          }))}
        />
      )}
      {becomes === "1" || becomes === "2" || deprecation !== undefined ? (
        <Field
          at="/deprecation"
          label="Why it should not be used"
          lines={2}
          help="And what to do instead. The service's page shows it beside this version. Optional."
        />
      ) : null}
      {becomes === "2" || successor !== undefined ? (
        <Field
          at="/replacedBy"
          label="DID of the successor"
          mono
          placeholder="did:web:next.example.com"
          help={`Which service replaces it? Leave it empty if none does. ${SUCCESSOR_RULE}`}
        />
      ) : null}
    </Group>
  );
}
