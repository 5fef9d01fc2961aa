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
import { apiEndpoints, getApiTrait } from "../draft/draft.ts";
import {
  authenticationWays,
  capabilityFields,
  endpointFields,
  type FieldSpec,
  getFields,
  getMetadataField,
  transportFields,
} from "../draft/fields.ts";
import { toList } from "../draft/pointer.ts";
import { Field, Fields, Group, Place, useJsonEditor } from "../fields/Fields.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";

/** Renders the endpoints at which programs call the service, and what they offer. */
export default function ApiStep() {
  const { draft, dispatch, readOnly } = useWizard();
  const trait = getApiTrait(draft.metadata) ?? "";
  const rows = apiEndpoints(draft);
  const first = rows.length === 0 && trait !== "" ? { name: endpointName(trait) } : {};
  const value = [...toList(draft.metadata.endpoints), first];
  return (
    <>
      <SingleEndpoint />
      <Place at="/endpoints" className="stack3">
        {rows.map(({ index, entry }, place) => (
          <Endpoint
            key={index}
            {...{ index, entry }}
            of={rows.length > 1 ? `Endpoint ${place + 1}` : undefined}
            apiTrait={trait}
          />
        ))}
      </Place>
      <div>
        <Button
          variant="default"
          size="compact-sm"
          disabled={readOnly}
          onClick={() => dispatch({ type: "set", pointer: "/endpoints", value })}
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
  const { endpoint, endpoints } = draft.metadata;
  if (endpoint === undefined) return null;
  const { url, schemaUrl } = endpoint as { url?: string; schemaUrl?: string };
  const moveToList = () => {
    const name = endpointName(getApiTrait(draft.metadata) ?? "api:rest");
    const entry = { name, ...(url && { endpoint: url }), ...(schemaUrl && { schemaUrl }) };
    dispatch({ type: "set", pointer: "/endpoints", value: [...toList(endpoints), entry] });
    dispatch({ type: "set", pointer: "/endpoint", value: undefined });
  };
  return (
    <Group
      title="Endpoint (old format)"
      help="This document uses the old single-endpoint format. You can keep this format, or move the endpoint to the list."
      action={
        <QuietButton disabled={readOnly} onClick={moveToList}>
          Move to list
        </QuietButton>
      }
    >
      <Fields at="/endpoint" fields={getFields(singleEndpointSchema)} />
      <Field {...getMetadataField("interfaceVersions")} control="tags" />
    </Group>
  );
}

/** Name of an endpoint among several. */
type Of = { of: string | undefined };

type EndpointProps = Of & {
  /** Index in the metadata's `endpoints`. */
  index: number;
  entry: JsonObject;
  apiTrait: string;
};

function Endpoint({ index, entry, of, apiTrait }: EndpointProps) {
  const trait = apiTypes.find((type) => endpointName(type.trait) === entry.name)?.trait ?? apiTrait;
  const { dispatch, readOnly } = useWizard();
  const pointer = toJsonPointer(["endpoints", index]);
  // Show what the type of API usually offers, and what the entry already lists.
  const offers = capabilityFields.filter(({ at, offeredBy }) => offeredBy === trait || at.slice(1) in entry);
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
      <Fields at={pointer} fields={endpointFields(trait)} />
      <OtherHosts entry={entry} pointer={pointer} />
      {offers.map((offer) =>
        offer.columns ? (
          <Offer key={offer.at} {...offer} at={pointer + offer.at} of={of} />
        ) : (
          <Field key={offer.at} {...offer} at={pointer + offer.at} />
        ),
      )}
      <Transport at={`${pointer}/transport`} />
      <Authentication at={`${pointer}/authentication`} of={of} />
    </Group>
  );
}

function Offer({ help, of, ...rows }: FieldSpec & Of) {
  const { at, label } = rows;
  const { value, editor, toggle } = useJsonEditor(at, label, Array.isArray);
  return (
    <Group title={`${label} (${toList(value).length})`} help={help} action={toggle} of={of}>
      {editor ?? <Field {...rows} />}
    </Group>
  );
}

/** Renders the transport of an endpoint, folded because few services need it. */
function Transport({ at }: { at: string }) {
  const { editor, toggle } = useJsonEditor(
    at,
    "Transport",
    (value) => isJsonObject(value) && Object.keys(value).every((key) => key === "http"),
  );
  return (
    <details className="part lined">
      <summary>Transport</summary>
      <div className="stack2" style={{ padding: "8px 0 16px 16px" }}>
        {editor ?? <Fields at={at} fields={transportFields} />}
        <div>{toggle}</div>
      </div>
    </details>
  );
}

/** Renders the authentication methods of an endpoint. Several may be selected. */
function Authentication({ at, of }: Of & { at: string }) {
  const { editor, toggle } = useJsonEditor(at, "Authentication", isJsonObject);
  return (
    <Group
      title="Authentication"
      of={of}
      help="How callers authenticate. Choose all that apply, or none. This is a public description: never enter secrets."
      action={toggle}
    >
      <Place at={at} className="stack2">
        {editor ?? authenticationWays.map((way) => <Way key={way.label} pointer={at} {...way} />)}
      </Place>
    </Group>
  );
}

type WayProps = (typeof authenticationWays)[number] & { pointer: string };

function Way({ pointer, label, keys, fields }: WayProps) {
  const { dispatch, readOnly } = useWizard();
  const value = useMetadata(pointer);
  // Keep a selected method open although it has no values yet.
  const [isTicked, setTicked] = useState(false);
  const on = isTicked || (isJsonObject(value) && keys.some((key) => key in value));
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
        <div className="stack2 inset">
          <Fields at={pointer} fields={fields} />
        </div>
      ) : null}
    </div>
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
  const { did, draft, touched } = useWizard();
  const { address: account } = useWallet();
  const getSite = useSiteLookup();
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
