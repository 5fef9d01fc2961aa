import {
  appPath,
  getProvenSubject,
  type Operation,
  parseJsonStrict,
  parseVersion,
  visibleText,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { BadgeSection, embedPath } from "../../../components/record/Badge.tsx";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { DidText, HashText } from "../../../components/record/labels.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { readServiceMetadata } from "../../../lib/service/serviceMetadata.ts";
import { findGuard } from "../../service/install/clients.ts";
import { InstallTabs } from "../../service/install/InstallTabs.tsx";
import { endpointInstallation, recordVariants } from "../../service/install/installVariants.ts";
import { useRegistryConnection } from "../../wallet/useRegistryClient.ts";

/** Shows the published version with links to its page, badge, card and instructions. */
export function Published({ operation: { did, request, transactionHash, plan } }: { operation: Operation }) {
  const isNew = plan?.action === "mint";
  const version = request?.version ?? "";
  return (
    <section
      className="stack3 headed"
      aria-labelledby="step-title"
      style={{ paddingBlock: "var(--space-3)" }}
    >
      <header className="stack">
        <h2 id="step-title" tabIndex={-1} style={{ outline: "none" }}>
          {isNew ? "Your service is registered" : `Version ${version} is published`}
        </h2>
        <DidText did={did} />
        <p className="prose soft">
          {isNew ? `Version ${version} is on the chain. ` : "Earlier versions stay readable. "}
          Anyone can now find it, read it and verify it. Your draft has been cleared.
        </p>
        {transactionHash === undefined ? null : (
          <p>
            Transaction <HashText hash={transactionHash} label="transaction hash" />
          </p>
        )}
      </header>
      <div className="bar">
        <Button component="a" href={appPath(did)}>
          View service
        </Button>
        <Button component="a" href="/my" variant="default">
          My services
        </Button>
        <Button component="a" href="/register" variant="default">
          Register another
        </Button>
      </div>
      <SharedLinks did={did} version={version} metadata={request?.metadata ?? "{}"} />
    </section>
  );
}

type SharedLinksProps = { did: string; version: string; metadata: string };

function SharedLinks({ did, version, metadata }: SharedLinksProps) {
  const { publicUrl, guardPackage } = useRegistryConnection();
  const { name } = getProvenSubject(did);
  const card = embedPath("card", did);
  const endpoints = readServiceMetadata(parseJsonStrict(metadata)).endpoints.map((endpoint, _, all) => ({
    name: visibleText(endpoint.name ?? "the endpoint"),
    ...endpointInstallation(endpoint, did, {
      registryUrl: publicUrl,
      guard: findGuard(endpoint, all, did, guardPackage),
    }),
  }));
  return (
    <div>
      <LedgerSection title="Service page" note="This link stays the same for every version.">
        <CopyBlock caption="Link" text={publicUrl + appPath(did)} />
      </LedgerSection>
      <LedgerSection title="How to connect" note="Instructions to share with users.">
        <div className="stack2">
          {endpoints.map((endpoint, index) => (
            <InstallTabs
              // biome-ignore lint/suspicious/noArrayIndexKey: endpoints may share a name
              key={index}
              legend={`Connect ${endpoint.name} with`}
              name={`shared-${index}`}
              variants={endpoint.variants}
            />
          ))}
          <InstallTabs
            legend="Look up the record with"
            name="shared-record"
            variants={recordVariants(did, parseVersion(version), publicUrl)}
          />
        </div>
      </LedgerSection>
      <BadgeSection did={did} publicUrl={publicUrl} />
      <LedgerSection
        title="Share card"
        note="Shown when someone shares the link in chats or on social sites."
      >
        <div className="stack">
          {/* biome-ignore lint/performance/noImgElement: the route has drawn it in its size already */}
          <img style={{ width: 480 }} src={card} alt={`Share card of ${name}`} width={1200} height={630} />
          <CopyBlock caption="Card URL" text={publicUrl + card} />
        </div>
      </LedgerSection>
    </div>
  );
}
