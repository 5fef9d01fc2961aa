"use client";

import { MCP_ENDPOINT_NAME } from "@app-registry/sdk";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { type JsonObject, pointerOf } from "../draft/pointer.ts";
import { MetadataText } from "../fields/MetadataText.tsx";
import { TagsField } from "../fields/TagsField.tsx";
import { useWizard } from "../WizardContext.tsx";
import { AuthenticationFields } from "./AuthenticationFields.tsx";
import { McpFields } from "./McpFields.tsx";
import { Group } from "./StepFrame.tsx";

interface EndpointFieldsProps {
  /** Place in the metadata's `endpoints`. */
  index: number;
  entry: JsonObject;
  /** Place among the API's own endpoints. */
  place: number;
  total: number;
  apiTrait: string;
}

const urlHelp: Record<string, string> = {
  "api:mcp": "The server's URL for streamable HTTP.",
  "api:a2a": "The URL of the agent card, usually https://<domain>/.well-known/agent-card.json.",
};

const schemaHelp: Record<string, string> = {
  "api:rest": "An OpenAPI document. Optional.",
  "api:graphql": "The schema as SDL. Optional.",
};

/** One endpoint: where it is, how it is described, and how callers authenticate. */
export function EndpointFields({ index, entry, place, total, apiTrait }: EndpointFieldsProps) {
  const { dispatch, readOnly } = useWizard();
  const at = (...tokens: string[]) => pointerOf("endpoints", index, ...tokens);
  const remove = (
    <QuietButton
      disabled={readOnly}
      onClick={() => dispatch({ type: "removeRow", pointer: "/endpoints", index })}
    >
      Remove this endpoint
    </QuietButton>
  );
  return (
    <Group title={total > 1 ? `Endpoint ${place + 1}` : "Endpoint"} action={remove}>
      <MetadataText
        pointer={at("name")}
        label="Endpoint name"
        required
        help={
          apiTrait === "api:mcp"
            ? "Clients find an MCP server by the name MCP."
            : "By which clients find it among several."
        }
      />
      <MetadataText
        pointer={at("endpoint")}
        label="Endpoint URL"
        required
        mono
        placeholder="https://api.example.com"
        help={urlHelp[apiTrait] ?? "Where calls go."}
      />
      <MetadataText
        pointer={at("schemaUrl")}
        label="Schema URL"
        mono
        help={schemaHelp[apiTrait] ?? "A document that describes the interface. Optional."}
      />
      <TagsField
        pointer={at("interfaceVersions")}
        label="Interface versions"
        placeholder="1.0"
        help="Versions of the interface that it speaks, not of the service. Optional."
      />
      {entry.name === MCP_ENDPOINT_NAME ? <McpFields index={index} /> : null}
      <AuthenticationFields index={index} />
    </Group>
  );
}
