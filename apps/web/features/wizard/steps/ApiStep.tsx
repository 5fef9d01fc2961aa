"use client";

import { endpointName } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { apiEndpoints, apiTraits } from "../draft/draft.ts";
import { pointerOf } from "../draft/pointer.ts";
import fieldStyles from "../fields/fields.module.css";
import { MetadataText } from "../fields/MetadataText.tsx";
import { TagsField } from "../fields/TagsField.tsx";
import { ImportPanel } from "../import/ImportPanel.tsx";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { EndpointFields } from "./EndpointFields.tsx";
import { Group, StepFrame } from "./StepFrame.tsx";

/** Where programs call the service, and what they find there. */
export function ApiStep() {
  const { draft, dispatch, readOnly } = useWizard();
  const error = useFieldError("/endpoints", { exact: true });
  const trait = apiTraits(draft.metadata)[0] ?? "";
  const rows = apiEndpoints(draft.metadata);
  return (
    <StepFrame
      title="API"
      intro="Where programs and agents call the service. At least one endpoint is needed."
    >
      <ImportPanel apiTrait={trait} />
      <SingleEndpoint />
      <div id={fieldId("/endpoints")} tabIndex={-1} className={fieldStyles.fields}>
        {error === undefined ? null : <p className={fieldStyles.error}>{error}</p>}
        {rows.map(({ index, entry }, place) => (
          <EndpointFields
            key={index}
            index={index}
            entry={entry}
            place={place}
            total={rows.length}
            apiTrait={trait}
          />
        ))}
      </div>
      <div>
        <Button
          variant="default"
          size="compact-sm"
          disabled={readOnly}
          onClick={() =>
            dispatch({
              type: "addRow",
              pointer: "/endpoints",
              value: rows.length === 0 && trait !== "" ? { name: endpointName(trait) } : {},
            })
          }
        >
          {rows.length === 0 ? "Add an endpoint" : "Add another endpoint"}
        </Button>
      </div>
    </StepFrame>
  );
}

/** The earlier layout with one `endpoint`, only where a document has it. */
function SingleEndpoint() {
  const { draft, dispatch, readOnly } = useWizard();
  const endpoint = useMetadata("/endpoint");
  if (endpoint === undefined) return null;
  const { url, schemaUrl } = endpoint as { url?: string; schemaUrl?: string };
  const toList = () => {
    const name = endpointName(apiTraits(draft.metadata)[0] ?? "api:rest");
    dispatch({
      type: "addRow",
      pointer: "/endpoints",
      value: { name, ...(url && { endpoint: url }), ...(schemaUrl && { schemaUrl }) },
    });
    dispatch({ type: "set", pointer: "/endpoint", value: undefined });
  };
  return (
    <Group
      title="Endpoint (earlier layout)"
      help="This document describes its one endpoint in the earlier layout. It may stay, or move into the list of endpoints."
      action={
        <QuietButton disabled={readOnly} onClick={toList}>
          Move it into the list
        </QuietButton>
      }
    >
      <MetadataText pointer={pointerOf("endpoint", "url")} label="Endpoint URL" mono />
      <MetadataText pointer={pointerOf("endpoint", "schemaUrl")} label="Schema URL" mono />
      <TagsField pointer="/interfaceVersions" label="Interface versions" />
    </Group>
  );
}
