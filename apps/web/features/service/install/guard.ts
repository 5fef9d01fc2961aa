import { MCP_ENDPOINT_NAME } from "@app-registry/sdk";
import type { EndpointView } from "../../../components/record/endpointView.ts";
import { editorVariants } from "./editors.ts";
import { type InstallVariant, quoteShellWord, shellCommand, toPasteableJson } from "./shellQuoting.ts";

/** Guard of an endpoint: what `npx` installs, and the guard's argument, the DID with `@` and a version if pinned. */
export type Guard = { package: string; target: string };

/**
 * Returns the guard of an endpoint. Returns `undefined` without a package, and for endpoints that the guard can't
 * reach, because it connects to the first MCP server.
 */
export function findGuard(
  endpoint: EndpointView,
  among: readonly EndpointView[],
  did: string,
  guardPackage: string | undefined,
  pinned?: string,
): Guard | undefined {
  if (guardPackage === undefined) return undefined;
  if (among.find(({ name }) => name === MCP_ENDPOINT_NAME) !== endpoint) return undefined;
  return { package: guardPackage, target: pinned === undefined ? did : `${did}@${pinned}` };
}

type GuardParameters = Guard & {
  /** Origin of this registry's web app, from which the guard reads the contracts and an RPC endpoint. */
  registryUrl: string;
  /** Key of the service in a client's configuration. */
  key: string;
  /** Header for a credential with a placeholder value. The guard does not sign in by itself. */
  header: { name: string; value: string } | undefined;
};

/**
 * Returns the commands and configurations that start the guard, by MCP client. They work outside a checkout of this
 * project.
 */
export function guardVariants({
  package: guardPackage,
  target,
  registryUrl,
  key,
  header,
}: GuardParameters): InstallVariant[] {
  const line = header && `${header.name}: ${header.value}`;
  const credential = line === undefined ? [] : ["--header", line];
  const args = ["-y", guardPackage, "connect", target, "--registry", registryUrl, ...credential];
  const entry = { command: "npx", args };
  const command = shellCommand(
    `npx -y ${quoteShellWord(guardPackage)} connect`,
    quoteShellWord(target),
    `--registry ${quoteShellWord(registryUrl)}`,
    ...(line === undefined ? [] : [`--header ${quoteShellWord(line)}`]),
  );
  const mcpServers = toPasteableJson({ mcpServers: { [key]: entry } }, 2);
  return [
    {
      label: "Any client",
      blocks: [
        { caption: "Command of the guard, an MCP server on standard input and output", text: command },
      ],
    },
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
  ];
}
