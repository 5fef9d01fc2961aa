import { isLocalhostName } from "../local.ts";
import { parseUrl } from "../metadata/safeHref.ts";

/** Clients whose administrators deploy a list of allowed MCP servers. */
export const allowlistClients = ["copilot", "claude-code", "vscode"] as const;

export type AllowlistClient = (typeof allowlistClients)[number];

type Servers = readonly { serverUrl: string }[];
const unlisted = "every remote server whose URL is not listed, and every local server.";
const behavior = "No client checks what a listed server does or where it redirects.";

/**
 * File that each client reads, and how the client uses it, as its vendor documented it in November 2026. An empty list
 * blocks every server. Clients also accept names and commands, which prove nothing about a server.
 */
export const clientRules = {
  copilot: {
    fileName: "managed-settings.json",
    createFile: (servers: Servers) => ({ allowedMcpServers: servers }),
    // VS Code, which reads this file too, matches URLs without regard to case.
    ignoresCase: true,
    enforced: `Copilot CLI, the Copilot app, VS Code and JetBrains IDEs block ${unlisted}`,
    notEnforced: `The Copilot cloud agent does not read the list, and built-in servers are exempt. ${behavior}`,
  },
  "claude-code": {
    fileName: "managed-settings.json",
    createFile: (servers: Servers) => ({ allowManagedMcpServersOnly: true, allowedMcpServers: servers }),
    ignoresCase: false,
    enforced: `Claude Code blocks ${unlisted} Users can't extend the list.`,
    notEnforced: `A URL without a path allows all paths of its host. Servers in managed-mcp.json and managedMcpServers, built-in servers and connectors of the desktop app are exempt. ${behavior}`,
  },
  vscode: {
    fileName: "policy.json",
    createFile: (list: Servers) => ({ ChatAllowManagedMcpServersOnly: true, ChatAllowedMcpServers: list }),
    ignoresCase: true,
    enforced: `VS Code 1.132 and later blocks ${unlisted}`,
    notEnforced: `Sessions of the Agent Host, Claude and Codex do not read this policy; deploy the list for their clients too. ${behavior}`,
  },
} satisfies Record<AllowlistClient, object>;

/** URL without characters that a client may decode or use in a pattern or a variable (`*`, `${…}`, `%`). */
const LITERAL_URL = /^https?:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d+)?\/[\w.~:/?&=@,+-]*$/i;

/**
 * Returns the address of an MCP server as clients compare it, or `undefined` if a client could match more than this
 * address. Plain http is allowed only for localhost.
 */
export function toLiteralUrl(endpoint: string): string | undefined {
  const url = parseUrl(endpoint, ["https:", "http:"]);
  if (!url || (url.protocol === "http:" && !isLocalhostName(url.hostname))) return undefined;
  return LITERAL_URL.test(url.href) ? url.href : undefined;
}
