import { apiTypes, isContractEndpoint, visibleText } from "@app-registry/sdk";
import { parseLocation } from "@app-registry/sdk/internal";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/record/CopyButton.tsx";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import {
  agentLines,
  authenticationLines,
  type EndpointView,
  mcpUrl,
} from "../../components/record/endpointView.ts";
import { replaceApprovalMarks } from "../../lib/record/claims.ts";
import type { ResolveLink } from "./createLinkResolver.ts";
import type { Guard } from "./install/clients.ts";
import { InstallTabs } from "./install/InstallTabs.tsx";
import { endpointInstallation } from "./install/installVariants.ts";
import { PlacedLink, PlaceWords } from "./PlacedLink.tsx";
import styles from "./service.module.css";

type EndpointPanelProps = {
  endpoint: EndpointView;
  /** `api:*` trait that describes this endpoint. */
  apiTrait?: string | undefined;
  /** DID of the service. Its proven name is the name of the entry in client configurations. */
  did: string;
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** See `findGuard`. */
  guard?: Guard | undefined;
  /** Protocol version that the last live check found. */
  protocolVersion?: string | undefined;
  /** Name of the tabs, unique on the page. */
  tabs: string;
  placeOf: ResolveLink;
  /** Warning above the commands. */
  warning?: ReactNode;
};

/** Returns the heading of an endpoint. A name that repeats the trait ("REST") is replaced by the trait's label. */
export function getEndpointTitle(endpoint: EndpointView, apiTrait: string | undefined): string {
  const label = apiTypes.find((type) => type.trait === apiTrait)?.label;
  const name = replaceApprovalMarks(visibleText(endpoint.name ?? ""));
  if (label === undefined) return name || "Endpoint";
  return name === "" || apiTrait === `api:${name.toLowerCase()}` ? label : `${name} (${label})`;
}

/** Shows an endpoint: its address, schema, authentication and commands. */
export function EndpointPanel({
  endpoint,
  apiTrait,
  did,
  publicUrl,
  guard,
  protocolVersion,
  tabs,
  placeOf,
  warning,
}: EndpointPanelProps) {
  const isContract = isContractEndpoint(did, endpoint);
  const isMcp = !isContract && (endpoint.name === "MCP" || apiTrait === "api:mcp");
  const address = (isMcp ? mcpUrl(endpoint) : undefined) ?? endpoint.endpoint;
  const versions = endpoint.interfaceVersions ?? [];
  const name = isContract ? "RPC and ABI" : getEndpointTitle(endpoint, apiTrait);
  const { needs, variants } = endpointInstallation(endpoint, apiTrait, did, {
    registryUrl: publicUrl,
    guard,
    protocolVersion,
  });
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
  const declared = [...authenticationLines(endpoint.authentication), ...agentLines(endpoint)];
  for (const { term, text, url } of declared) {
    const value =
      url === undefined ? <bdi>{visibleText(text)}</bdi> : <PlacedLink url={url} placeOf={placeOf} />;
    lines.push({ term, value });
  }
  return (
    <div className={`stack ${styles.panel}`}>
      <h3 className="row minor">
        <bdi>{name}</bdi>
        {versions.length > 0 ? (
          <span className="quiet">
            interface version{versions.length === 1 ? "" : "s"} {visibleText(versions.join(", "))}
          </span>
        ) : null}
      </h3>
      {warning}
      {needs.map((need) => (
        <p key={need} className="soft anywhere">
          <bdi>{need}</bdi>
        </p>
      ))}
      <InstallTabs legend={`Connect ${name} with`} name={tabs} variants={variants} />
      <DefinitionLines lines={lines} />
    </div>
  );
}

function EndpointAddress({ address, placeOf }: { address: string; placeOf: ResolveLink }) {
  return (
    <span className="row">
      <code>{visibleText(address)}</code>
      {parseLocation(address) ? <CopyButton text={address} label="Copy the address" /> : null}
      <PlaceWords url={address} placeOf={placeOf} />
    </span>
  );
}
