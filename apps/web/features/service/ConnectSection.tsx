import {
  apiTypes,
  formatVersion,
  isContractEndpoint,
  type ServiceProbe,
  type VerificationReport,
  type Version,
  type VersionRecord,
  visibleText,
} from "@app-registry/sdk";
import { chainFactNames, getDidContract, parseLocation } from "@app-registry/sdk/internal";
import type { ReactNode } from "react";
import { getAddress } from "viem";
import { CopyButton } from "../../components/record/CopyButton.tsx";
import { type DefinitionLine, DefinitionLines } from "../../components/record/documents.tsx";
import {
  agentLines,
  authenticationLines,
  clientAddress,
  type EndpointView,
  mcpUrl,
} from "../../components/record/endpointView.ts";
import { AddressText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { replaceApprovalMarks } from "../../lib/record/claims.ts";
import { describeTerms, type ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { findGuard, type Guard } from "./install/clients.ts";
import { InstallTabs } from "./install/InstallTabs.tsx";
import { endpointInstallation, recordVariants } from "./install/installVariants.ts";
import { OriginNotice, PlacedLink, PlaceWords, type ResolveLink } from "./links.tsx";
import { PackagePanel } from "./PackagePanel.tsx";
import styles from "./service.module.css";

type ConnectSectionProps = {
  record: Pick<VersionRecord, "did"> & { version: Version };
  metadata: ServiceMetadata;
  report: Pick<VerificationReport, "did" | "facts">;
  placeOf: ResolveLink;
  /** Origin of this registry's web app. */
  publicUrl: string;
  /** Package of the guard, as `npx` takes it. Without it, no guard is offered. */
  guardPackage: string | undefined;
  /** The version is not the newest of the highest major, so commands must name it. */
  isPinned?: boolean;
  /** The last live check of this version. */
  probe?: ServiceProbe | null | undefined;
};

/** Shows how to use a service: links for people, endpoints for programs, its contract, and payments. */
export function ConnectSection({
  record,
  metadata,
  report,
  placeOf,
  publicUrl,
  guardPackage,
  isPinned = false,
  probe,
}: ConnectSectionProps) {
  const { did, version } = record;
  const named = getDidContract(did);
  const launches = metadata.platforms.flatMap(({ name, launchUrl, downloadUrl }) => {
    const url = launchUrl ?? downloadUrl;
    const verb = launchUrl === undefined ? "Download for" : "Open on";
    return url === undefined
      ? []
      : [{ term: `${verb} ${platformLabel(name)}`, value: <PlacedLink url={url} placeOf={placeOf} /> }];
  });
  const contract = named
    ? [
        { term: "Contract", value: <AddressText address={getAddress(named.address)} /> },
        { term: "Chain", value: `eip155:${named.chainId}` },
      ]
    : [];
  const payments = metadata.payments.map((payment) => ({
    term: `Payment: ${visibleText(payment.type)}`,
    value: (
      <>
        {payment.url === undefined ? null : <PlacedLink url={payment.url} placeOf={placeOf} />}
        <div className="anywhere">{visibleText(describeTerms(payment))}</div>
      </>
    ),
  }));
  const panels = metadata.endpoints.map((endpoint, index) => {
    const pinned = isPinned ? formatVersion(version) : undefined;
    const guard = findGuard(endpoint, metadata.endpoints, did, guardPackage, pinned);
    const panel = (
      <EndpointPanel
        // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
        key={index}
        endpoint={endpoint}
        did={did}
        publicUrl={publicUrl}
        guard={guard}
        protocolVersion={
          probe?.endpoints.find(({ protocol, url }) => protocol === "mcp" && url === mcpUrl(endpoint))
            ?.protocolVersion
        }
        tabs={`endpoint-${index}`}
        placeOf={placeOf}
        warning={<OriginNotice endpoint={endpoint} report={report} />}
      />
    );
    return { panel, isGuarded: guard !== undefined };
  });
  const guarded = panels.filter(({ isGuarded }) => isGuarded);
  const addresses = [...launches, ...metadata.endpoints, ...metadata.packages, ...payments];
  return (
    <section className="stack lined" id="connect">
      <div>
        <h2 className="subtitle">
          {addresses.length + contract.length === 0 ? "No way to connect" : "How to connect"}
        </h2>
        {addresses.length === 0 ? null : (
          <p className="quiet">Provided by the publisher. Each address says where it leads.</p>
        )}
      </div>
      {guarded.length === 0 ? null : <GuardRefusal facts={report.facts} />}
      {guarded.map(({ panel }) => panel)}
      {launches.length === 0 ? null : (
        <div className={`stack ${styles.panel}`}>
          <h3 className="minor">Open or download</h3>
          <DefinitionLines lines={launches} />
        </div>
      )}
      <DefinitionLines lines={contract} />
      {panels.flatMap(({ panel, isGuarded }) => (isGuarded ? [] : [panel]))}
      {metadata.packages.map((entry) => (
        <PackagePanel
          key={`${entry.registryType} ${entry.identifier} ${entry.version}`}
          entry={entry}
          placeOf={placeOf}
        />
      ))}
      {payments.length === 0 ? null : (
        <div className={`stack ${styles.panel}`}>
          <h3 className="minor">Payment</h3>
          <DefinitionLines lines={payments} />
        </div>
      )}
      <details className="fold">
        <summary>From a program</summary>
        <InstallTabs
          legend="Look up the record with"
          name="record"
          variants={recordVariants(did, version, publicUrl)}
        />
      </details>
    </section>
  );
}

/** Says which facts keep the guard from starting. */
function GuardRefusal({ facts }: Pick<VerificationReport, "facts">) {
  const failing = chainFactNames.filter((name) => facts[name].outcome === "fail");
  if (failing.length === 0) return null;
  const reasons = failing.map((name) => `${name} fails`);
  return (
    <p className="marked">
      <StatusMark outcome="fail" />
      <span>
        The guard does not connect to this service, because {new Intl.ListFormat("en").format(reasons)}.
      </span>
    </p>
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

/** Returns the name of a platform for its key in the metadata: iOS for `ios`. */
export function platformLabel(key: string): string {
  return labels[key.toLowerCase()] ?? visibleText(key);
}

type EndpointPanelProps = {
  endpoint: EndpointView;
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
export function getEndpointTitle({ name: declared = "", apiTrait }: EndpointView): string {
  const label = apiTypes.find((type) => type.trait === apiTrait)?.label;
  const name = replaceApprovalMarks(visibleText(declared));
  if (label === undefined) return name || "Endpoint";
  return name === "" || apiTrait === `api:${name.toLowerCase()}` ? label : `${name} (${label})`;
}

/** Shows an endpoint: its address, schema, authentication and commands. */
export function EndpointPanel({
  endpoint,
  did,
  publicUrl,
  guard,
  protocolVersion,
  tabs,
  placeOf,
  warning,
}: EndpointPanelProps) {
  const isContract = isContractEndpoint(did, endpoint);
  const address = isContract ? endpoint.endpoint : clientAddress(endpoint);
  const versions = endpoint.interfaceVersions ?? [];
  const name = isContract ? "RPC and ABI" : getEndpointTitle(endpoint);
  const { needs, variants } = endpointInstallation(endpoint, did, {
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
