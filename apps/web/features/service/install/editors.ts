import { type InstallVariant, quoteShellWord, toPasteableJson } from "./shellQuoting.ts";

/** A server as clients write it in their configuration. */
type ServerEntries = {
  /** For Cursor. */
  plain: object;
  /** With its transport, for the files of VS Code. */
  typed: object;
  /** With its name, for the links and commands of VS Code. */
  named: object;
};

/** Returns the ways to add an MCP server to editors, under a key of their configuration. */
export const editorVariants = (key: string, { plain, typed, named }: ServerEntries): InstallVariant[] => [
  {
    label: "Cursor",
    links: [
      {
        text: "Add to Cursor",
        href: `cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=${encodeURIComponent(btoa(toPasteableJson(plain)))}`,
      },
    ],
    blocks: [{ caption: ".cursor/mcp.json", text: toPasteableJson({ mcpServers: { [key]: plain } }, 2) }],
  },
  {
    label: "VS Code",
    links: [
      { text: "Add to VS Code", href: `vscode:mcp/install?${encodeURIComponent(toPasteableJson(named))}` },
    ],
    blocks: [
      { caption: "Terminal", text: `code --add-mcp ${quoteShellWord(toPasteableJson(named))}` },
      { caption: ".vscode/mcp.json", text: toPasteableJson({ servers: { [key]: typed } }, 2) },
    ],
  },
];
