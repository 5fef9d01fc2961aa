"use client";

import {
  endpointName,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MCP_ENDPOINT_NAME,
  toJsonPointer,
} from "@app-registry/sdk";
import { Button, NativeSelect } from "@mantine/core";
import { useRef, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { apiEndpoints, apiTraits } from "../draft/draft.ts";

import { type FieldSpec, field, machine } from "../draft/screens.ts";
import { Field, frame } from "../fields/Field.tsx";
import styles from "../fields/fields.module.css";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { OtherHosts } from "./OtherHosts.tsx";

/** Fields of the part of the document at `pointer`. */
function FieldsBelow({ pointer, fields }: { pointer: string; fields: readonly FieldSpec[] }) {
  return fields.map((field) => <Field key={field.at} {...field} at={pointer + field.at} />);
}

/** Where programs call the service, and what they find there. */
export function ApiStep() {
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
            title={rows.length > 1 ? `Endpoint ${place + 1}` : "Endpoint"}
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
          {rows.length === 0 ? "Add an endpoint" : "Add another endpoint"}
        </Button>
      </div>
    </>
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
    const value = { name, ...(url && { endpoint: url }), ...(schemaUrl && { schemaUrl }) };
    dispatch({ type: "addRow", pointer: "/endpoints", value });
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
      <Field at="/endpoint/url" label="Endpoint URL" mono />
      <Field at="/endpoint/schemaUrl" label="Schema URL" mono />
      <Field at="/interfaceVersions" label="Interface versions" control="tags" />
    </Group>
  );
}

const urlHelp: Record<string, string> = {
  "api:mcp": "The server's URL for streamable HTTP.",
  "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
};

const schemaHelp: Record<string, string> = {
  "api:rest": "An OpenAPI document. Optional.",
  "api:graphql": "The schema as SDL. Optional.",
};

const endpointFields = (apiTrait: string): FieldSpec[] => [
  field(
    "/name",
    "Endpoint name",
    apiTrait === "api:mcp"
      ? "Clients find an MCP server by the name MCP."
      : "Clients find it among several by this name.",
    { required: true },
  ),
  machine("/endpoint", "Endpoint URL", "https://api.example.com", urlHelp[apiTrait] ?? "Where calls go.", {
    required: true,
  }),
  machine(
    "/schemaUrl",
    "Schema URL",
    "",
    schemaHelp[apiTrait] ?? "A document that describes the interface. Optional.",
  ),
  field(
    "/interfaceVersions",
    "Interface versions",
    "Versions of the interface that it speaks, not of the service. Optional.",
    { control: "tags", placeholder: "1.0" },
  ),
];

type EndpointProps = {
  /** Place in the metadata's `endpoints`. */
  index: number;
  entry: JsonObject;
  title: string;
  apiTrait: string;
};

/** One endpoint: where it is, how it is described, and how callers authenticate. */
function Endpoint({ index, entry, title, apiTrait }: EndpointProps) {
  const { dispatch, readOnly } = useWizard();
  const pointer = toJsonPointer(["endpoints", index]);
  const remove = (
    <QuietButton
      disabled={readOnly}
      onClick={() => dispatch({ type: "removeRow", pointer: "/endpoints", index })}
    >
      Remove this endpoint
    </QuietButton>
  );
  return (
    <Group title={title} action={remove}>
      <FieldsBelow pointer={pointer} fields={endpointFields(apiTrait)} />
      <OtherHosts entry={entry} pointer={pointer} />
      {entry.name === MCP_ENDPOINT_NAME ? <McpServer pointer={pointer} /> : null}
      <Authentication pointer={`${pointer}/authentication`} />
    </Group>
  );
}

const description = (of: string) => field("/description", `${of} description`, undefined, { lines: 2 });
const json = (at: string, label: string, help: string, lines = 4) =>
  field(at, label, help, { control: "json", lines });

/** What an MCP server offers. */
const offers: FieldSpec[] = [
  field("/tools", "Tools", "What agents can call.", {
    item: "Tool",
    columns: [
      machine("/name", "Tool name"),
      description("Tool"),
      json("/inputSchema", "Input schema", "A JSON Schema object."),
      json("/annotations", "Annotations", "Optional.", 2),
    ],
  }),
  field("/resources", "Resources", "What agents can read.", {
    item: "Resource",
    columns: [
      machine("/uri", "Resource URI"),
      field("/name", "Resource name"),
      description("Resource"),
      machine("/mimeType", "MIME type", "", "Optional."),
    ],
  }),
  field("/prompts", "Prompts", "Texts that the server prepares.", {
    item: "Prompt",
    columns: [
      machine("/name", "Prompt name"),
      description("Prompt"),
      json("/arguments", "Arguments", "A list of name, description and required.", 3),
    ],
  }),
];

const transportFields: FieldSpec[] = [
  machine("/url", "HTTP transport URL", "", "Usually the endpoint URL itself."),
  machine("/method", "HTTP method", "POST"),
];

function McpServer({ pointer }: { pointer: string }) {
  return (
    <>
      {offers.map((offer) => (
        <Offer key={offer.at} {...offer} at={pointer + offer.at} />
      ))}
      <Group title="Transport" help="How clients reach the server.">
        <FieldsBelow pointer={`${pointer}/transport/http`} fields={transportFields} />
      </Group>
    </>
  );
}

function Offer({ help, ...rows }: FieldSpec) {
  const { at, label } = rows;
  const { draft } = useWizard();
  const value = useMetadata(at);
  // A text that doesn't parse yet has to stay in sight.
  const [asJson, setAsJson] = useState(draft.texts[at] !== undefined);
  const toggle = (
    <QuietButton onClick={() => setAsJson(!asJson)}>
      {asJson ? "Edit in the form" : "Edit as JSON"}
    </QuietButton>
  );
  return (
    <Group title={`${label} (${Array.isArray(value) ? value.length : 0})`} help={help} action={toggle}>
      {asJson ? (
        <Field at={at} label={`${label} as JSON`} control="json" lines={8} />
      ) : (
        <Field {...rows} control="rows" />
      )}
    </Group>
  );
}

/** The ways to authenticate that the form knows, by the key that each has in the document. */
const authentications: { value: string; label: string; fields: FieldSpec[] }[] = [
  { value: "none", label: "None, or not declared", fields: [] },
  {
    value: "oauth2",
    label: "OAuth 2",
    fields: [
      machine("/oauth2/authorizationUrl", "Authorization URL", "", undefined, { required: true }),
      machine("/oauth2/tokenUrl", "Token URL", "", undefined, { required: true }),
      field("/oauth2/scopes", "Scopes", "Optional.", { control: "tags" }),
    ],
  },
  {
    value: "blockchain",
    label: "Holding a token on a chain",
    fields: [
      machine("/blockchain/chainId", "Chain id", "eip155:1", undefined, { required: true }),
      machine("/blockchain/contractAddress", "Contract address", "", undefined, { required: true }),
      machine("/blockchain/requiredNFT", "Required NFT"),
    ],
  },
  {
    value: "methods",
    label: "A list of methods (agents)",
    fields: [
      field("/methods", "Methods", undefined, { control: "tags", placeholder: "jwt" }),
      machine("/jwksUrl", "JWKS URL"),
      machine("/issuer", "Issuer"),
    ],
  },
  {
    value: "json",
    label: "Something else, as JSON",
    fields: [field("", "Authentication as JSON", undefined, { control: "json" })],
  },
];

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  const known = isJsonObject(value) ? ["oauth2", "blockchain", "methods"].filter((key) => key in value) : [];
  return known.length === 1 && known[0] !== undefined ? known[0] : "json";
}

/** How callers authenticate to an endpoint. */
function Authentication({ pointer }: { pointer: string }) {
  const { dispatch, readOnly } = useWizard();
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const [chosen, setChosen] = useState(() => kindOf(value));
  // What the document says counts; the choice only matters while nothing is filled in.
  const kind = value === undefined || chosen === "json" ? chosen : kindOf(value);
  // What was filled in for one kind comes back with it.
  const kept = useRef<Record<string, JsonValue>>({});
  const choose = (next: string) => {
    setChosen(next);
    if (next === "json" || kindOf(value) === next) return;
    if (value !== undefined) kept.current[kindOf(value)] = value;
    dispatch({ type: "set", pointer, value: kept.current[next] });
  };
  return (
    <Group
      title="Authentication"
      help="How callers authenticate. This only declares it and stores no secret."
    >
      <NativeSelect
        {...frame}
        label="Authentication"
        value={kind}
        error={error}
        disabled={readOnly}
        onChange={(event) => choose(event.currentTarget.value)}
        data={authentications.map(({ value, label }) => ({ value, label }))}
      />
      <FieldsBelow
        pointer={pointer}
        fields={authentications.find(({ value }) => value === kind)?.fields ?? []}
      />
    </Group>
  );
}
