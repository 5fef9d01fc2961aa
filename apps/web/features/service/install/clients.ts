import { MCP_ENDPOINT_NAME, safeHref } from "@app-registry/sdk";
import { keccak256, stringToHex } from "viem";
import type { EndpointView } from "../../../components/record/endpointView.ts";

/** Form of a variable of the environment that Claude Code and add-mcp expand. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: clients expand it
export const CLAUDE_VARIABLE = "${TOKEN}";

/** Form of a variable of the environment that Cursor and VS Code expand. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: clients expand it
const EDITOR_VARIABLE = "${env:TOKEN}";

type ConfiguredServer = {
  /** Key of the server in a client's configuration. */
  key: string;
  /** Returns the server's entry, with a credential in the form of a variable that the client expands. */
  entry(variable: string): object;
  /** Transport of a remote server, for clients that require it. Undefined for a local program. */
  remote?: { type: "http" };
  /** Command that adds the server to Claude Code. */
  claudeCommand: string;
};

/** Returns the ways to add an MCP server to each client: its files, commands and links. */
export function clientVariants({ key, entry, remote, claudeCommand }: ConfiguredServer): InstallVariant[] {
  const file = (caption: string, content: object, member = "mcpServers") => ({
    caption,
    text: toPasteableJson({ [member]: { [key]: content } }, 2),
  });
  const plain = entry(EDITOR_VARIABLE);
  const typed = { ...remote, ...plain };
  const named = toPasteableJson({ name: key, ...typed });
  const config = encodeURIComponent(btoa(toPasteableJson(plain)));
  return [
    {
      label: "Claude",
      blocks: [
        { caption: "Claude Code", text: claudeCommand },
        file(remote ? ".mcp.json" : ".mcp.json or claude_desktop_config.json", {
          ...remote,
          ...entry(CLAUDE_VARIABLE),
        }),
      ],
    },
    {
      label: "Cursor",
      links: [
        {
          text: "Add to Cursor",
          href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=${config}`,
        },
      ],
      blocks: [file(".cursor/mcp.json", plain)],
    },
    {
      label: "VS Code",
      links: [{ text: "Add to VS Code", href: `vscode:mcp/install?${encodeURIComponent(named)}` }],
      blocks: [
        { caption: "Terminal", text: `code --add-mcp ${quoteShellWord(named)}` },
        file(".vscode/mcp.json", typed, "servers"),
      ],
    },
    ...(remote ? [] : [{ label: "Gemini CLI", blocks: [file(".gemini/settings.json", plain)] }]),
  ];
}

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
  const [placeholder] = /YOUR_\w+/.exec(header?.value ?? "") ?? [];
  // The guard reads the credential from the environment, so that it is in no process's arguments. Clients don't expand
  // the form {TOKEN}.
  const line = header && `${header.name}: ${header.value.replace(/YOUR_\w+/, "{TOKEN}")}`;
  const credential = line === undefined ? [] : ["--header", line];
  const args = ["-y", guardPackage, "connect", target, "--registry", registryUrl, ...credential];
  const env = placeholder === undefined ? {} : { env: { TOKEN: placeholder } };
  const entry = { command: "npx", args, ...env };
  const command = shellCommand(
    `npx -y ${quoteShellWord(guardPackage)} connect`,
    quoteShellWord(target),
    `--registry ${quoteShellWord(registryUrl)}`,
    ...(line === undefined ? [] : [`--header ${quoteShellWord(line)}`]),
  );
  const variable = placeholder === undefined ? "" : `TOKEN=${placeholder}`;
  const option = variable && `--env ${variable} `;
  // Windows starts npx, a script, only through its shell.
  const windows = { mcpServers: { [key]: { command: "cmd", args: ["/c", "npx", ...args], ...env } } };
  return [
    {
      label: "Any client",
      blocks: [
        {
          caption: "Start the guard (MCP over stdio)",
          text: `${variable && `${variable} `}${command}`,
        },
        { caption: "Configuration on Windows", text: toPasteableJson(windows, 2) },
      ],
    },
    ...clientVariants({
      key,
      entry: () => entry,
      claudeCommand: `claude mcp add ${key} ${option}-- ${command}`,
    }),
  ];
}

/** One way to use an endpoint or a record, with text to paste and links that open a client. */
export type InstallVariant = {
  /** Label of the tab. */
  label: string;
  /** Note that the reader needs before choosing. */
  note?: string;
  links?: { text: string; href: string }[];
  blocks: { caption: string; text: string }[];
  /** Nested tabs. */
  variants?: InstallVariant[];
};

/** Characters without a special meaning inside a word in any POSIX shell, zsh or PowerShell. */
const PLAIN_WORD = /^[A-Za-z0-9_./:%@+,][A-Za-z0-9_./:%@+,-]*$/;

/** Quotes a word for POSIX shells: unchanged if safe, else in single quotes, which prevent any expansion. */
export function quoteShellWord(text: string): string {
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Joins a shell command over several lines, with one option per line. */
export const shellCommand = (...parts: string[]): string => parts.join(" \\\n  ");

/** Start of a URL up to its path. Brackets in it belong to an IPv6 address. */
const AUTHORITY = /^[a-z]+:\/\/[^/?#]*/;

/**
 * Returns a web URL that is safe to paste into commands and configuration files, or `undefined` for other URLs. The
 * result is ASCII without spaces or line breaks. Braces and brackets are percent-encoded, because programs expand them:
 * curl expands `{a,b}` and `[1-9]`, and clients expand `${env:SECRET}`, which would send the reader's secrets to the
 * URL's host.
 */
export function toPasteableUrl(url: unknown): string | undefined {
  const href = typeof url === "string" ? safeHref(url) : undefined;
  const start = href === undefined ? undefined : /^https?:/.test(href) && AUTHORITY.exec(href)?.[0];
  if (href === undefined || !start) return undefined;
  const rest = href.slice(start.length).replace(/[{}[\]`"'\\|^]/g, percentTriplet);
  return `${start}${rest}`;
}

const percentTriplet = (char: string): string =>
  `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Serializes JSON for pasting. Escapes characters that are invisible or change the reading order. */
export function toPasteableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\u0020-\u007e\n]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Returns the key of a service in a client's configuration, from the proven host or contract and a hash of the DID:
 * `mcp-example-com-1f2e3d`. A key from the claimed name, or without the hash, could replace the reader's entry for
 * another service.
 */
export function toConfigKey(provenName: string, did: string): string {
  const words = provenName.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const key = words.join("-").slice(0, 40).replace(/-$/, "");
  return `${key}-${keccak256(stringToHex(did)).slice(2, 8)}`;
}
