import { parseDid } from "@app-registry/sdk";
import { getAddress } from "viem";
import { AddressText } from "../../components/record/AddressText.tsx";
import { DefinitionLines } from "../../components/record/DefinitionLines.tsx";
import { EndpointPanel } from "../../components/record/EndpointPanel.tsx";
import { ExternalLink } from "../../components/record/ExternalLink.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import styles from "./ConnectSection.module.css";
import { platformLabel } from "./platformLabel.ts";
import type { ServiceMetadata } from "./serviceMetadata.ts";

/** How to use a service: where people open it, what programs connect to, the contract itself, and how to pay. */
export function ConnectSection({ did, metadata }: { did: string; metadata: ServiceMetadata }) {
  const parsed = parseDid(did);
  const launches = metadata.platforms.flatMap(({ name, launchUrl, downloadUrl }) => {
    const url = launchUrl ?? downloadUrl;
    const verb = launchUrl === undefined ? "Download for" : "Open on";
    return url === undefined
      ? []
      : [{ term: `${verb} ${platformLabel(name)}`, value: <ExternalLink url={url} /> }];
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
        {url === undefined ? null : <ExternalLink url={url} />} {visibleText(chains.join(", "))}
      </>
    ),
  }));
  const nothing = [launches, contract, payments, metadata.endpoints].every((items) => items.length === 0);
  if (nothing) return null;
  return (
    <section className={styles.connect} id="connect">
      <h2 className={styles.title}>How to connect</h2>
      <DefinitionLines lines={[...launches, ...contract]} />
      {metadata.endpoints.map((endpoint, index) => (
        <EndpointPanel
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name and an address
          key={index}
          endpoint={endpoint}
          apiTrait={endpoint.apiTrait}
          serviceName={metadata.name ?? ""}
        />
      ))}
      {payments.length === 0 ? null : (
        <div className={styles.payments}>
          <DefinitionLines lines={payments} />
        </div>
      )}
    </section>
  );
}
