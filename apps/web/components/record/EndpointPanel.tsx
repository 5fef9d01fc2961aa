import { apiTypes } from "@app-registry/sdk";
import { authenticationLines } from "./authenticationLines.ts";
import { CopyBlock } from "./CopyBlock.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { connectSnippets, type EndpointView, mcpUrl } from "./connectSnippets.ts";
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
  const access = authenticationLines(endpoint.authentication);
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
      <dl className={styles.lines}>
        {address === undefined ? null : (
          <div>
            <dt>{endpoint.name === "Contract" ? "RPC" : "Address"}</dt>
            <dd className={styles.address}>
              <code>{visibleText(address)}</code>
              {callable.test(address) ? <CopyButton text={address} label="Copy the address" /> : null}
            </dd>
          </div>
        )}
        {endpoint.schemaUrl === undefined ? null : (
          <div>
            <dt>{endpoint.name === "Contract" ? "ABI" : "Schema"}</dt>
            <dd>
              <ExternalLink url={endpoint.schemaUrl} />
            </dd>
          </div>
        )}
        {access.map(({ term, text, url }) => (
          <div key={`${term} ${text}`}>
            <dt>{term}</dt>
            <dd>{url === undefined ? <bdi>{visibleText(text)}</bdi> : <ExternalLink url={url} />}</dd>
          </div>
        ))}
      </dl>
      {connectSnippets(endpoint, apiTrait, serviceName).map((snippet) => (
        <CopyBlock key={snippet.caption} {...snippet} />
      ))}
    </div>
  );
}
