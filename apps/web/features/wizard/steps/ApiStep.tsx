"use client";

import {
  apiTypes,
  endpointName,
  getProvenSubject,
  getRelation,
  isJsonObject,
  type JsonObject,
  listAddresses,
  toJsonPointer,
} from "@app-registry/sdk";
import { hostDids, isCheckedUse, parseLocation, singleEndpointSchema } from "@app-registry/sdk/internal";
import { Button, Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { OtherControlCheck } from "../control/ControlCheck.tsx";
import { apiEndpoints, apiTraits } from "../draft/draft.ts";
import {
  type AuthenticationWay,
  authenticationWays,
  capabilityFields,
  endpointFields,
  transportFields,
} from "../draft/endpointFields.ts";
import { type FieldSpec, getFields, getMetadataField } from "../draft/metadataFields.ts";
import { canonicalDid } from "../draft/problems.ts";
import { useJsonEditor } from "../fields/AsJson.tsx";
import { Field, FieldsBelow } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

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

/** Renders the authentication methods of an endpoint. Several may be selected. */
function Authentication({ pointer, of }: { pointer: string; of: string | undefined }) {
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const fits = value === undefined || isJsonObject(value);
  const { editor, toggle } = useJsonEditor({ at: pointer, label: "Authentication", fits });
  return (
    <Group
      title="Authentication"
      of={of}
      help="How callers authenticate. Choose all that apply, or none. This is a public description: never enter secrets."
      action={toggle}
    >
      <div id={fieldId(pointer)} tabIndex={-1} className="stack2">
        {error === undefined ? null : <p className={styles.error}>{error}</p>}
        {editor ?? authenticationWays.map((way) => <Way key={way.label} {...{ pointer, way }} />)}
      </div>
    </Group>
  );
}

function Way({ pointer, way: { label, keys, fields } }: { pointer: string; way: AuthenticationWay }) {
  const { dispatch, readOnly } = useWizard();
  const value = useMetadata(pointer);
  // Keep a selected method open although it has no values yet.
  const [ticked, setTicked] = useState(false);
  const on = ticked || (isJsonObject(value) && keys.some((key) => key in value));
  return (
    <div className="stack2">
      <Checkbox
        {...{ label }}
        checked={on}
        disabled={readOnly}
        onChange={({ currentTarget: { checked } }) => {
          setTicked(checked);
          dispatch({ type: "switch", pointer, keys, on: checked });
        }}
      />
      {on ? (
        <div className={`stack2 ${styles.inset}`}>
          <FieldsBelow pointer={pointer} fields={fields} />
        </div>
      ) : null}
    </div>
  );
}

interface OffersProps {
  pointer: string;
  entry: JsonObject;
  trait: string;
  /** Name of the endpoint among several. */
  of: string | undefined;
}

/** Renders the capabilities of an MCP server or agent, and any others that the entry already lists. */
function Offers({ pointer, entry, trait, of }: OffersProps) {
  const shown = capabilityFields.filter(({ at, offeredBy }) => offeredBy === trait || at.slice(1) in entry);
  return shown.map((offer) =>
    offer.columns ? (
      <Offer key={offer.at} {...offer} at={pointer + offer.at} of={of} />
    ) : (
      <Field key={offer.at} {...offer} at={pointer + offer.at} />
    ),
  );
}

function Offer({ help, of, ...rows }: FieldSpec & Pick<OffersProps, "of">) {
  const { at, label } = rows;
  const value = useMetadata(at);
  const fits = value === undefined || Array.isArray(value);
  const { editor, toggle } = useJsonEditor({ at, label, fits });
  return (
    <Group
      title={`${label} (${Array.isArray(value) ? value.length : 0})`}
      help={help}
      action={toggle}
      of={of}
    >
      {editor ?? <Field {...rows} />}
    </Group>
  );
}

/** Loads the public suffix list, only where a URL must be compared with the DID's host. */
const useSiteLookup = () =>
  useQuery({
    queryKey: ["siteOf"],
    queryFn: async () => (await import("@app-registry/outbound/site")).getSite,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

/** Lists an endpoint's URLs that would fail *origin*, and offers to check control of their hosts. */
function OtherHosts({ entry, pointer }: { entry: JsonObject; pointer: string }) {
  const { draft, touched } = useWizard();
  const { address: account } = useWallet();
  const getSite = useSiteLookup();
  const did = canonicalDid(draft.did);
  const isLeft = touched.has(`${pointer}/endpoint`) || draft.visited.includes("api");
  if (did === undefined || getSite === undefined || !isLeft) return null;
  const outside = listAddresses(did, { endpoints: [entry] }).filter(
    ({ use, url }) =>
      isCheckedUse(use) && parseLocation(url) && getRelation(did, url, getSite) === "elsewhere",
  );
  const hosts = new Map(outside.map(({ url }) => [new URL(url).host, hostDids({ url }).at(-1)]));
  const { name } = getProvenSubject(did);
  return [...hosts].map(([host, hostDid]) => (
    <Group
      key={host}
      title={`${host} is a different host from ${name}`}
      help={
        hostDid === undefined
          ? `An address at ${host} makes the Origin fact fail. Use a host name that your wallet controls.`
          : `URLs at ${host} make the Origin fact fail, unless the account that controls ${name} also controls ${hostDid}. To prove that control, publish a DID document at ${host} that lists the same wallet, then check the document here. Or use URLs at ${name}.`
      }
    >
      {hostDid === undefined ? null : account ? (
        <OtherControlCheck did={hostDid} account={account} />
      ) : (
        <p className="soft small">Connect a wallet to check this host.</p>
      )}
    </Group>
  ));
}
