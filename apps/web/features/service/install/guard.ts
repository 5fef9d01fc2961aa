import { MCP_ENDPOINT_NAME } from "@app-registry/sdk";
import type { EndpointView } from "../../../components/record/endpointView.ts";
import { editorVariants } from "./editors.ts";
import { type InstallVariant, quoteShellWord, shellCommand, toPasteableJson } from "./shellQuoting.ts";

/**
 * Returns what the guard is started with to reach an endpoint: the DID, with `@` and a version if the guard must stay
 * with it. Returns `undefined` for an endpoint that the guard can't reach, because it takes the first MCP server.
 */
export function guardTarget(
  endpoint: EndpointView,
  among: readonly EndpointView[],
  did: string,
  pinned?: string,
): string | undefined {
  if (among.find(({ name }) => name === MCP_ENDPOINT_NAME) !== endpoint) return undefined;
  return pinned === undefined ? did : `${did}@${pinned}`;
}

type GuardParameters = {
  /** See {@link guardTarget}. */
  target: string;
  /** Origin of this registry's web app. It names the contracts and an RPC endpoint. */
  registryUrl: string;
  /** Key of the service in a client's configuration. */
  key: string;
  /** Header that carries a credential, its value a placeholder. The guard signs in nowhere by itself. */
  header: { name: string; value: string } | undefined;
};

/** Returns ways to start the guard, which works outside a checkout of the project, by MCP client. */
export function guardVariants({ target, registryUrl, key, header }: GuardParameters): InstallVariant[] {
  const line = header && `${header.name}: ${header.value}`;
  const credential = line === undefined ? [] : ["--header", line];
  const args = ["-y", "@app-registry/mcp", "connect", target, "--registry", registryUrl, ...credential];
  const entry = { command: "npx", args };
  const command = shellCommand(
    "npx -y @app-registry/mcp connect",
    quoteShellWord(target),
    `--registry ${quoteShellWord(registryUrl)}`,
    ...(line === undefined ? [] : [`--header ${quoteShellWord(line)}`]),
  );
  const mcpServers = toPasteableJson({ mcpServers: { [key]: entry } }, 2);
  return [
    {
      label: "Claude",
      blocks: [
        { caption: "Claude Code", text: `claude mcp add ${key} -- ${command}` },
        { caption: ".mcp.json or claude_desktop_config.json", text: mcpServers },
      ],
    },
    ...editorVariants(key, {
      plain: entry,
      typed: { type: "stdio", ...entry },
      named: { name: key, ...entry },
    }),
    { label: "Gemini CLI", blocks: [{ caption: ".gemini/settings.json", text: mcpServers }] },
    {
      label: "stdio",
      blocks: [{ caption: "Starts an MCP server on standard input and output", text: command }],
    },
  ];
}
