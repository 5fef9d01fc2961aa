"use client";

import { useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { pointerOf } from "../draft/pointer.ts";
import { JsonField } from "../fields/JsonField.tsx";
import { MetadataText } from "../fields/MetadataText.tsx";
import { type Column, RowsField } from "../fields/RowsField.tsx";
import { useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./StepFrame.tsx";

interface Part {
  key: "tools" | "resources" | "prompts";
  title: string;
  item: string;
  summary: string;
  help: string;
  columns: Column[];
}

const parts: Part[] = [
  {
    key: "tools",
    title: "Tools",
    item: "Tool",
    summary: "name",
    help: "What agents can call.",
    columns: [
      { key: "name", label: "Tool name", mono: true },
      { key: "description", label: "Tool description", lines: 2 },
      { key: "inputSchema", label: "Input schema", kind: "json", help: "A JSON Schema object." },
      { key: "annotations", label: "Annotations", kind: "json", help: "Optional.", lines: 2 },
    ],
  },
  {
    key: "resources",
    title: "Resources",
    item: "Resource",
    summary: "uri",
    help: "What agents can read.",
    columns: [
      { key: "uri", label: "Resource URI", mono: true },
      { key: "name", label: "Resource name" },
      { key: "description", label: "Resource description", lines: 2 },
      { key: "mimeType", label: "MIME type", mono: true, help: "Optional." },
    ],
  },
  {
    key: "prompts",
    title: "Prompts",
    item: "Prompt",
    summary: "name",
    help: "Texts that the server prepares.",
    columns: [
      { key: "name", label: "Prompt name", mono: true },
      { key: "description", label: "Prompt description", lines: 2 },
      {
        key: "arguments",
        label: "Arguments",
        kind: "json",
        help: "A list of name, description and required.",
        lines: 3,
      },
    ],
  },
];

/** What an MCP server offers: tools, resources, prompts and its transport. */
export function McpFields({ index }: { index: number }) {
  return (
    <>
      {parts.map((part) => (
        <McpPart key={part.key} part={part} pointer={pointerOf("endpoints", index, part.key)} />
      ))}
      <Group title="Transport" help="How clients reach the server.">
        <MetadataText
          pointer={pointerOf("endpoints", index, "transport", "http", "url")}
          label="HTTP transport URL"
          mono
          help="Usually the endpoint URL itself."
        />
        <MetadataText
          pointer={pointerOf("endpoints", index, "transport", "http", "method")}
          label="HTTP method"
          placeholder="POST"
          mono
        />
      </Group>
    </>
  );
}

function McpPart({ part, pointer }: { part: Part; pointer: string }) {
  const { draft } = useWizard();
  const value = useMetadata(pointer);
  // A text that doesn't parse yet has to stay in sight.
  const [asJson, setAsJson] = useState(draft.texts[pointer] !== undefined);
  const count = Array.isArray(value) ? value.length : 0;
  const toggle = (
    <QuietButton onClick={() => setAsJson(!asJson)}>
      {asJson ? "Edit in the form" : "Edit as JSON"}
    </QuietButton>
  );
  return (
    <Group title={`${part.title} (${count})`} help={part.help} action={toggle}>
      {asJson ? (
        <JsonField pointer={pointer} label={`${part.title} as JSON`} lines={8} />
      ) : (
        <RowsField pointer={pointer} item={part.item} summary={part.summary} columns={part.columns} />
      )}
    </Group>
  );
}
