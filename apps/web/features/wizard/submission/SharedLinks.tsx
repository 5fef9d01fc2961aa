"use client";

import { appPath, getProvenSubject, parseJsonStrict, parseVersion, visibleText } from "@app-registry/sdk";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { BADGE_NOTE, badgeHtml, badgeMarkdown } from "../../../lib/service/badgeCode.ts";
import { readServiceMetadata } from "../../../lib/service/serviceMetadata.ts";
import { findGuard } from "../../service/install/guard.ts";
import { InstallTabs } from "../../service/install/InstallTabs.tsx";
import { endpointInstallation, recordVariants } from "../../service/install/installVariants.ts";
import pictures from "../../service/pictures.module.css";
import { useRegistryConnection } from "../../wallet/useRegistryClient.ts";
import styles from "./submission.module.css";

interface SharedLinksProps {
  did: string;
  /** major.minor.patch */
  version: string;
  /** Published document as text. */
  metadata: string;
}

/** Renders the links and snippets that a publisher can share, each with a copy button. */
export function SharedLinks({ did, version, metadata }: SharedLinksProps) {
  const { publicUrl, guardPackage } = useRegistryConnection();
  const { name } = getProvenSubject(did);
  const path = appPath(did);
  const card = path.replace(/^\/apps\//, "/api/card/");
  const endpoints = readServiceMetadata(parseJsonStrict(metadata)).endpoints.map((endpoint, _, all) => ({
    name: visibleText(endpoint.name ?? "the endpoint"),
    ...endpointInstallation(endpoint, endpoint.apiTrait, did, {
      registryUrl: publicUrl,
      guard: findGuard(endpoint, all, did, guardPackage),
    }),
  }));
  return (
    <div>
      <LedgerSection title="Service page" note="This link stays the same for every version.">
        <CopyBlock caption="Link" text={publicUrl + path} />
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
      <LedgerSection title="Badge" note={BADGE_NOTE}>
        <div className="stack">
          <p className={pictures.badge}>
            {/* biome-ignore lint/performance/noImgElement: an SVG has nothing to optimize */}
            <img src={path.replace(/^\/apps\//, "/api/badge/")} alt={`Badge of ${name}`} height={24} />
          </p>
          <CopyBlock caption="Markdown" text={badgeMarkdown(did, undefined, publicUrl)} />
          <CopyBlock caption="HTML" text={badgeHtml(did, undefined, publicUrl)} />
        </div>
      </LedgerSection>
      <LedgerSection
        title="Share card"
        note="Shown when someone shares the link in chats or on social sites."
      >
        <div className="stack">
          {/* biome-ignore lint/performance/noImgElement: the route has drawn it in its size already */}
          <img className={styles.card} src={card} alt={`Share card of ${name}`} width={1200} height={630} />
          <CopyBlock caption="Card URL" text={publicUrl + card} />
        </div>
      </LedgerSection>
    </div>
  );
}
