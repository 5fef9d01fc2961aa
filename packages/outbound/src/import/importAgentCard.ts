import { JsonDocumentError, parseJsonStrict } from "@app-registry/sdk";
import * as z from "zod";
import type { GuardedFetch } from "../guardedFetch.ts";
import { GuardedFetchError } from "../guardedFetchError.ts";
import { ImportError } from "./importError.ts";

/** The fields that all versions of A2A agent cards share; other fields are kept. */
const agentCardSchema = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  url: z.string().optional(),
  version: z.string().optional(),
  protocolVersion: z.string().optional(),
  documentationUrl: z.string().optional(),
  iconUrl: z.string().optional(),
  provider: z.looseObject({ organization: z.string().optional(), url: z.string().optional() }).optional(),
  capabilities: z.looseObject({}).optional(),
  skills: z
    .array(z.looseObject({ name: z.string().optional(), tags: z.array(z.string()).optional() }))
    .optional(),
});

/** An A2A agent card and where it is. */
export const agentCardImportSchema = z.object({
  url: z.string().describe("Where the card is."),
  card: agentCardSchema,
});

export type AgentCardImport = z.output<typeof agentCardImportSchema>;

/** Well-known places of an agent card, the current one first. */
const wellKnownPaths = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

/**
 * Reads an A2A agent card from its own address, or from the well-known places of an agent's domain.
 *
 * @throws {GuardedFetchError} when the address is not allowed or doesn't answer, {@link ImportError}
 * `agent-card-invalid` when the document is not an agent card.
 * @example
 * const { card } = await importAgentCard(agentCardUrl, { guardedFetch });
 * card.name; // "Weather agent"
 */
export async function importAgentCard(
  url: string,
  { guardedFetch }: { guardedFetch: GuardedFetch },
): Promise<AgentCardImport> {
  const given = new URL(url);
  const isBareHost = given.pathname === "/";
  const places = isBareHost ? wellKnownPaths.map((path) => new URL(path, given)) : [given];
  let missing: GuardedFetchError | undefined;
  for (const place of places) {
    try {
      const document = await guardedFetch.fetchDocument(place);
      return { url: document.url, card: readCard(document.text, document.url) };
    } catch (error) {
      if (!(error instanceof GuardedFetchError) || error.status !== 404) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

function readCard(text: string, url: string): AgentCardImport["card"] {
  const invalid = (why: string) => new ImportError("agent-card-invalid", `${url}: ${why}`);
  let value: unknown;
  try {
    value = parseJsonStrict(text);
  } catch (error) {
    if (error instanceof JsonDocumentError) throw invalid(error.message);
    throw error;
  }
  const parsed = agentCardSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalid(`/${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`);
}
