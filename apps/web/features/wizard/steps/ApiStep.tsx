"use client";

import { apiTypes, endpointName, isJsonObject, type JsonObject, toJsonPointer } from "@app-registry/sdk";
import { singleEndpointSchema } from "@app-registry/sdk/internal";
import { Button } from "@mantine/core";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { apiEndpoints, apiTraits } from "../draft/draft.ts";

import { endpointFields, transportFields } from "../draft/endpointFields.ts";
import { getFields, getMetadataField } from "../draft/metadataFields.ts";
import { useJsonEditor } from "../fields/AsJson.tsx";
import { Field, FieldsBelow } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { Authentication } from "./Authentication.tsx";
import { Group } from "./Group.tsx";
import { Offers } from "./Offers.tsx";
import { OtherHosts } from "./OtherHosts.tsx";

/** Renders the endpoints at which programs call the service, and what they offer. */
export default function ApiStep() {
  const { draft, dispatch, readOnly } = useWizard();
  const error = useFieldError("/endpoints", { exact: true });
  const trait = apiTraits(draft.metadata)[0] ?? "";
  const rows = apiEndpoints(draft);
  const first = rows.length === 0 && trait !== "" ? { name: endpointName(trait) } : {};
  return (
    <>
      <SingleEndpoint />
      <div id={fieldId("/endpoints")} tabIndex={-1} className="stack3">
        {error === undefined ? null : <p className={styles.error}>{error}</p>}
        {rows.map(({ index, entry }, place) => (
          <Endpoint
            key={index}
            {...{ index, entry }}
            of={rows.length > 1 ? `Endpoint ${place + 1}` : undefined}
            apiTrait={trait}
          />
        ))}
      </div>
      <div>
        <Button
          variant="default"
          size="compact-sm"
          disabled={readOnly}
          onClick={() => dispatch({ type: "addRow", pointer: "/endpoints", value: first })}
        >
          {rows.length === 0 ? "Add endpoint" : "Add another endpoint"}
        </Button>
      </div>
    </>
  );
}

/** Renders the old format with a single `endpoint`, for documents that use it. */
function SingleEndpoint() {
  const { draft, dispatch, readOnly } = useWizard();
  const endpoint = useMetadata("/endpoint");
  if (endpoint === undefined) return null;
  const { url, schemaUrl } = endpoint as { url?: string; schemaUrl?: string };
  const toList = () => {
    const name = endpointName(apiTraits(draft.metadata)[0] ?? "api:rest");
    const value = { name, ...(url && { endpoint: url }), ...(schemaUrl && { schemaUrl }) };
    dispatch({ type: "addRow", pointer: "/endpoints", value });
    dispatch({ type: "set", pointer: "/endpoint", value: undefined });
  };
  return (
    <Group
      title="Endpoint (old format)"
      help="This document uses the old single-endpoint format. You can keep this format, or move the endpoint to the list."
      action={
        <QuietButton disabled={readOnly} onClick={toList}>
          Move to list
        </QuietButton>
      }
    >
      <FieldsBelow pointer="/endpoint" fields={getFields(singleEndpointSchema)} />
      <Field {...getMetadataField("interfaceVersions")} control="tags" />
    </Group>
  );
}

type EndpointProps = {
  /** Index in the metadata's `endpoints`. */
  index: number;
  entry: JsonObject;
  /** Name of this endpoint among several. */
  of: string | undefined;
  apiTrait: string;
};

/** Renders one endpoint: its URL, description, capabilities and authentication. */
function Endpoint({ index, entry, of, apiTrait }: EndpointProps) {
  const trait = apiTypes.find((type) => endpointName(type.trait) === entry.name)?.trait ?? apiTrait;
  const { dispatch, readOnly } = useWizard();
  const pointer = toJsonPointer(["endpoints", index]);
  const remove = (
    <QuietButton
      disabled={readOnly}
      onClick={() => dispatch({ type: "removeRow", pointer: "/endpoints", index })}
    >
      Remove endpoint
    </QuietButton>
  );
  return (
    <Group title={of ?? "Endpoint"} action={remove}>
      <FieldsBelow pointer={pointer} fields={endpointFields(trait)} />
      <OtherHosts entry={entry} pointer={pointer} />
      <Offers {...{ pointer, entry, trait, of }} />
      <Transport pointer={`${pointer}/transport`} />
      <Authentication pointer={`${pointer}/authentication`} of={of} />
    </Group>
  );
}

/** Renders the transport of an endpoint, folded because few services need it. */
function Transport({ pointer }: { pointer: string }) {
  const value = useMetadata(pointer);
  const fits =
    value === undefined || (isJsonObject(value) && Object.keys(value).every((key) => key === "http"));
  const { editor, toggle } = useJsonEditor({ at: pointer, label: "Transport", fits });
  return (
    <details className={`part ${styles.entry}`}>
      <summary>Transport</summary>
      <div className={`stack2 ${styles.entryBody}`}>
        {editor ?? <FieldsBelow pointer={pointer} fields={transportFields} />}
        <div>{toggle}</div>
      </div>
    </details>
  );
}
