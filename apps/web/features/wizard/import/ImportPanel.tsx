"use client";

import type { AgentCardImport, McpImport } from "@app-registry/outbound";
import { type Filled, fillFromAgentCard, fillFromMcp } from "@app-registry/outbound/fill";
import { toAppRegistryError } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod/mini";
import { Problem } from "../../../components/record/Problem.tsx";
import type { Draft } from "../draft/draft.ts";
import styles from "../fields/fields.module.css";
import { Group } from "../steps/Group.tsx";
import { useWizard } from "../WizardContext.tsx";

/** Milliseconds; the registry itself waits for the service. */
const TIMEOUT = 60_000;

/** What the registry reads at an address; a refusal says in its own words what is wrong with it. */
function readFrom<Answer>(path: string, url: string): Promise<Answer> {
  const registry = { baseUrl: location.origin, timeoutMs: TIMEOUT };
  return requestJson(registry, path, z.custom<Answer>(), { url: url.trim() });
}

async function readFill(apiTrait: ImportableTrait, url: string): Promise<(draft: Draft) => Filled> {
  if (apiTrait === "api:mcp") {
    const server = await readFrom<McpImport>("/api/import/mcp", url);
    return (draft) => fillFromMcp(draft.metadata, server);
  }
  const card = await readFrom<AgentCardImport>("/api/import/agent-card", url);
  return (draft) => fillFromAgentCard(draft.metadata, card);
}

const sources = {
  "api:mcp": {
    title: "Fill the form from the server",
    help: "Paste the address of your MCP server. Its tools, resources and prompts are read and filled in; you can change everything afterwards.",
    label: "MCP server URL",
    placeholder: "https://mcp.example.com/mcp",
    button: "Read the server",
  },
  "api:a2a": {
    title: "Fill the form from the agent card",
    help: "Paste the address of your agent card, or only your domain. What the card says is filled in; you can change everything afterwards.",
    label: "Agent card URL",
    placeholder: "https://example.com/.well-known/agent-card.json",
    button: "Read the card",
  },
};

type ImportableTrait = keyof typeof sources;

const isImportable = (trait: string): trait is ImportableTrait => trait in sources;

/** Fills the form from what the service says of itself: an MCP server or an A2A agent card. */
export function ImportPanel({ apiTrait }: { apiTrait: string }) {
  return isImportable(apiTrait) ? <Import key={apiTrait} apiTrait={apiTrait} /> : null;
}

function Import({ apiTrait }: { apiTrait: ImportableTrait }) {
  const { draft, dispatch, readOnly } = useWizard();
  const [url, setUrl] = useState("");
  const source = sources[apiTrait];
  const reading = useMutation({
    // The draft may change while the other side is asked, so it is filled as it is afterwards.
    mutationFn: async () => {
      const fill = await readFill(apiTrait, url);
      return { fill, filled: fill(draft).filled };
    },
    onSuccess: ({ fill }) => dispatch({ type: "fill", fill: (latest) => fill(latest).metadata }),
  });
  return (
    <Group title={source.title} help={source.help}>
      <form
        className={styles.pair}
        onSubmit={(event) => {
          event.preventDefault();
          reading.mutate();
        }}
      >
        <TextInput
          label={source.label}
          placeholder={source.placeholder}
          value={url}
          disabled={readOnly}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button
          type="submit"
          variant="default"
          loading={reading.isPending}
          disabled={url.trim() === "" || readOnly}
        >
          {source.button}
        </Button>
      </form>
      <div aria-live="polite" className="soft small">
        {reading.isPending ? `Asking ${url.trim()}` : null}
        {reading.data ? `Filled in: ${reading.data.filled.join(", ")}.` : null}
      </div>
      {reading.isError ? (
        <Problem
          level={3}
          title="It could not be read"
          why={toAppRegistryError(reading.error).shortMessage}
          action="Check the address and that the service runs. You can also fill in the form by hand."
        />
      ) : null}
    </Group>
  );
}
