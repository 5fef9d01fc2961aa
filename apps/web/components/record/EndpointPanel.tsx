import { apiTypes } from "@app-registry/sdk";
import { authenticationLines } from "./authenticationLines.ts";
import { CopyBlock } from "./CopyBlock.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { connectSnippets, type EndpointView, mcpUrl } from "./connectSnippets.ts";
import { type DefinitionLine, DefinitionLines } from "./DefinitionLines.tsx";
import styles from "./EndpointPanel.module.css";
import { ExternalLink } from "./ExternalLink.tsx";
import { visibleText } from "./visibleText.ts";

type EndpointPanelProps = {
  endpoint: EndpointView;
  /** The `api:*` trait that describes this endpoint. */
  apiTrait?: string | undefined;
  /** The service's name; it names the entry of a client configuration. */
  serviceName: string;
};

/** Addresses that programs call; others are shown and not offered for copying. */
const callable = /^(https?|wss?|grpcs?):\/\//i;

/** Publishers often name an endpoint by its trait's last part ("REST"); the label reads better then. */
function title(endpoint: EndpointView, apiTrait: string | undefined): string {
  const label = apiTypes.find((type) => type.trait === apiTrait)?.label;
  const name = visibleText(endpoint.name ?? "");
  if (endpoint.name === "Contract") return "RPC and ABI";
  if (label === undefined) return name || "Endpoint";
  return name === "" || apiTrait === `api:${name.toLowerCase()}` ? label : `${name} (${label})`;
}

/** How to reach an endpoint: its address to copy, what to paste, its schema, and who may call it. */
export function EndpointPanel({ endpoint, apiTrait, serviceName }: EndpointPanelProps) {
  const isMcp = endpoint.name === "MCP" || apiTrait === "api:mcp";
  const address = (isMcp ? mcpUrl(endpoint) : undefined) ?? endpoint.endpoint;
  const versions = endpoint.interfaceVersions ?? [];
  const isContract = endpoint.name === "Contract";
  const lines: DefinitionLine[] = [];
  if (address !== undefined) {
    lines.push({ term: isContract ? "RPC" : "Address", value: <EndpointAddress address={address} /> });
  }
  if (endpoint.schemaUrl !== undefined) {
    lines.push({ term: isContract ? "ABI" : "Schema", value: <ExternalLink url={endpoint.schemaUrl} /> });
  }
  for (const { term, text, url } of authenticationLines(endpoint.authentication)) {
    const value = url === undefined ? <bdi>{visibleText(text)}</bdi> : <ExternalLink url={url} />;
    lines.push({ term, value });
  }
  return (
    <div className={styles.panel}>
      <h3 className={styles.title}>
        <bdi>{title(endpoint, apiTrait)}</bdi>
        {versions.length > 0 ? (
          <span className={styles.versions}>
            interface version{versions.length === 1 ? "" : "s"} {visibleText(versions.join(", "))}
          </span>
        ) : null}
      </h3>
      <DefinitionLines lines={lines} />
      {connectSnippets(endpoint, apiTrait, serviceName).map((snippet) => (
        <CopyBlock key={snippet.caption} {...snippet} />
      ))}
    </div>
  );
}

function EndpointAddress({ address }: { address: string }) {
  return (
    <span className={styles.address}>
      <code>{visibleText(address)}</code>
      {callable.test(address) ? <CopyButton text={address} label="Copy the address" /> : null}
    </span>
  );
}
