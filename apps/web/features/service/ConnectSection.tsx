import { apiTypes, parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { CopyButton } from "../../components/record/CopyButton.tsx";
import {
  authenticationLines,
  connectSnippets,
  type EndpointView,
  mcpUrl,
} from "../../components/record/connecting.ts";
import { CopyBlock, type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import { AddressText } from "../../components/record/identifiers.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import type { PlaceOf } from "./linkPlaces.ts";
import { PlacedLink, PlaceWords } from "./PlacedLink.tsx";
import styles from "./service.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

type ConnectSectionProps = { did: string; metadata: ServiceMetadata; placeOf: PlaceOf };

/** How to use a service: where people open it, what programs connect to, the contract itself, and how to pay. */
export function ConnectSection({ did, metadata, placeOf }: ConnectSectionProps) {
  const parsed = parseDid(did);
  const launches = metadata.platforms.flatMap(({ name, launchUrl, downloadUrl }) => {
    const url = launchUrl ?? downloadUrl;
    const verb = launchUrl === undefined ? "Download for" : "Open on";
    return url === undefined
      ? []
      : [{ term: `${verb} ${platformLabel(name)}`, value: <PlacedLink url={url} placeOf={placeOf} /> }];
  });
  const contract =
    parsed.method === "pkh"
      ? [
          { term: "Contract", value: <AddressText address={getAddress(parsed.address)} /> },
          { term: "Chain", value: `eip155:${parsed.chainId}` },
        ]
      : [];
  const payments = metadata.payments.map(({ type, url, chains }) => ({
    term: `Pays by ${visibleText(type)}`,
    value: (
      <>
        {url === undefined ? null : <PlacedLink url={url} placeOf={placeOf} />}{" "}
        {visibleText(chains.join(", "))}
      </>
    ),
  }));
  const nothing = [launches, contract, payments, metadata.endpoints].every((items) => items.length === 0);
  if (nothing) return null;
  return (
    <section className={`stack ${styles.connect}`} id="connect">
      <h2 className="subtitle">How to connect</h2>
      <DefinitionLines lines={[...launches, ...contract]} />
      {metadata.endpoints.map((endpoint, index) => (
        <EndpointPanel
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
          key={index}
          endpoint={endpoint}
          apiTrait={endpoint.apiTrait}
          serviceName={metadata.name ?? ""}
          placeOf={placeOf}
        />
      ))}
      {payments.length === 0 ? null : (
        <div>
          <DefinitionLines lines={payments} />
        </div>
      )}
    </section>
  );
}

const labels: Record<string, string> = {
  android: "Android",
  ios: "iOS",
  linux: "Linux",
  macos: "macOS",
  web: "the web",
  windows: "Windows",
};

/** A platform's key in the metadata, as people read it: `ios` is iOS. */
function platformLabel(key: string): string {
  return labels[key.toLowerCase()] ?? visibleText(key);
}

type EndpointPanelProps = {
  endpoint: EndpointView;
  /** The `api:*` trait that describes this endpoint. */
  apiTrait?: string | undefined;
  /** The service's name; it names the entry of a client configuration. */
  serviceName: string;
  placeOf: PlaceOf;
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
export function EndpointPanel({ endpoint, apiTrait, serviceName, placeOf }: EndpointPanelProps) {
  const isMcp = endpoint.name === "MCP" || apiTrait === "api:mcp";
  const address = (isMcp ? mcpUrl(endpoint) : undefined) ?? endpoint.endpoint;
  const versions = endpoint.interfaceVersions ?? [];
  const isContract = endpoint.name === "Contract";
  const lines: DefinitionLine[] = [];
  if (address !== undefined) {
    lines.push({
      term: isContract ? "RPC" : "Address",
      value: <EndpointAddress address={address} placeOf={placeOf} />,
    });
  }
  if (endpoint.schemaUrl !== undefined) {
    lines.push({
      term: isContract ? "ABI" : "Schema",
      value: <PlacedLink url={endpoint.schemaUrl} placeOf={placeOf} />,
    });
  }
  for (const { term, text, url } of authenticationLines(endpoint.authentication)) {
    const value =
      url === undefined ? <bdi>{visibleText(text)}</bdi> : <PlacedLink url={url} placeOf={placeOf} />;
    lines.push({ term, value });
  }
  return (
    <div className={`stack ${styles.panel}`}>
      <h3 className="row minor">
        <bdi>{title(endpoint, apiTrait)}</bdi>
        {versions.length > 0 ? (
          <span className="quiet">
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

function EndpointAddress({ address, placeOf }: { address: string; placeOf: PlaceOf }) {
  return (
    <span className="row">
      <code>{visibleText(address)}</code>
      {callable.test(address) ? <CopyButton text={address} label="Copy the address" /> : null}
      <PlaceWords url={address} placeOf={placeOf} />
    </span>
  );
}
