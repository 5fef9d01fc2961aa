import { interfaceNames, type VersionRecord } from "@app-registry/sdk";
import type { ReactNode } from "react";
import { AddressText } from "../../components/record/AddressText.tsx";
import { AppStatusText } from "../../components/record/AppStatusText.tsx";
import { DidText } from "../../components/record/DidText.tsx";
import { ExternalLink } from "../../components/record/ExternalLink.tsx";
import { interfaceLabels } from "../../components/record/interfaceLabels.ts";
import { Monogram } from "../../components/record/Monogram.tsx";
import { TimeText } from "../../components/record/TimeText.tsx";
import { TraitChip } from "../../components/record/TraitChip.tsx";
import { visibleLines, visibleText } from "../../components/record/visibleText.ts";
import { listHref } from "../explore/listQuery.ts";
import type { Account } from "./namedAccount.ts";
import styles from "./ServiceHead.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

type ServiceHeadProps = {
  record: VersionRecord;
  status: 0 | 1 | 2;
  holder: Account;
  /** Undefined when the document could not be read; the record stands without it. */
  metadata: ServiceMetadata | undefined;
};

/** Names of more characters are set smaller on a phone. */
const LONG_NAME = 40;

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Who a service is: its name, what it says of itself, its publisher, its version and its status. */
export function ServiceHead({ record, status, holder, metadata }: ServiceHeadProps) {
  const name = visibleText(metadata?.name ?? "");
  const description = visibleLines(metadata?.description ?? "");
  const version = `${record.version.major}.${record.version.minor}.${record.version.patch}`;
  return (
    <div className={styles.head}>
      <div className={styles.name}>
        <Monogram name={name || record.did} seed={record.did} size={56} />
        {name === "" ? (
          <h1 className={styles.unnamed}>{record.did}</h1>
        ) : (
          <h1 className={name.length > LONG_NAME ? styles.long : undefined}>
            <bdi>{name}</bdi>
          </h1>
        )}
      </div>
      {description === "" ? null : (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      )}
      <dl className={styles.lines}>
        <Line term="DID">
          <DidText did={record.did} />
        </Line>
        {metadata?.publisher === undefined ? null : (
          <Line term="Publisher">
            <bdi>{visibleText(metadata.publisher)}</bdi>
          </Line>
        )}
        <Line term="Version">
          <span className={styles.version}>
            <code>{version}</code>
            <AppStatusText status={status} />
            <span className={styles.quiet}>
              published <TimeText seconds={record.version.registeredAt} dateOnly />
            </span>
          </span>
        </Line>
        <Line term="Interfaces">
          {interfaceNames(record.interfaces)
            .map((item) => interfaceLabels[item])
            .join(", ")}
        </Line>
        {metadata !== undefined && metadata.traits.length > 0 ? (
          <Line term="Traits">
            <span className={styles.traits}>
              {metadata.traits.map((trait) => (
                <TraitChip key={trait} trait={trait} href={listHref({ traits: [trait] })} />
              ))}
            </span>
          </Line>
        ) : null}
        {metadata?.websiteUrl === undefined ? null : (
          <Line term="Website">
            <ExternalLink url={metadata.websiteUrl} />
          </Line>
        )}
        {metadata?.supportUrl === undefined ? null : (
          <Line term="Support">
            <ExternalLink url={metadata.supportUrl} />
          </Line>
        )}
        <Line term="Holder">
          <AddressText address={holder.address} ensName={holder.ensName} />
        </Line>
      </dl>
    </div>
  );
}
