import { type InstallVariant, quoteShellWord, toPasteableJson } from "./shellQuoting.ts";

/** Server entry in the formats of client configurations. */
type ServerEntries = {
  /** Format of Cursor. */
  plain: object;
  /** Format of VS Code files, with the transport. */
  typed: object;
  /** Format of VS Code links and commands, with the name. */
  named: object;
};

/** Returns the ways to add an MCP server to editors under a configuration key. */
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
