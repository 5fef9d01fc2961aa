import {
  dataUrlPath,
  didHash,
  formatVersion,
  getProvenSubject,
  hashAlgorithmName,
  visibleText,
} from "@app-registry/sdk";
import Link from "next/link";
import { DefinitionLines, RawJson } from "../../components/record/documents.tsx";
import { AddressText, HashText, TimeText } from "../../components/record/labels.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { getPublisherPath, listHref } from "../explore/listQuery.ts";
import { PlacedLink, type ResolveLink } from "./links.tsx";
import type { Account, Service } from "./loadService.ts";
import { declaredLines } from "./ServiceHead.tsx";

type RecordSectionProps = { service: Service; placeOf: ResolveLink };

/** Shows the record on the chain and its metadata document. */
export function RecordSection({ service, placeOf }: RecordSectionProps) {
  const { record, summary, versions, document, holder, minter, deployment } = service;
  const { version } = record;
  const traits = document.ok ? document.metadata.traits : [];
  const lines = [
    { term: "Token", value: record.tokenId.toString() },
    // The first version of a major mints the record.
    { term: "Registered", value: <TimeText seconds={(versions[0] ?? record).version.registeredAt} /> },
    {
      term: "This version",
      value: (
        <>
          <code>{formatVersion(version)}</code>, published <TimeText seconds={version.registeredAt} />
        </>
      ),
    },
    ...declaredLines(record.interfaces, traits),
    { term: "Holder", value: <OwnerText account={holder} of="owner" /> },
    { term: "Minter", value: <OwnerText account={minter} of="minter" /> },
    {
      term: "Under",
      value: (
        <Link href={getPublisherPath(record.did)} prefetch={false} className="anywhere">
          All services under {getProvenSubject(record.did).name}
        </Link>
      ),
    },
    { term: "dataHash", value: <HashText hash={record.dataHash} label="dataHash" /> },
    { term: "dataUrl", value: <PlacedLink url={record.dataUrl} placeOf={placeOf} /> },
    ...(record.pointer === undefined
      ? []
      : [{ term: "JSON on the chain", value: <AddressText address={record.pointer} /> }]),
    ...(record.contractId === ""
      ? []
      : [{ term: "contractId", value: <code>{visibleText(record.contractId)}</code> }]),
    ...(summary.fungibleTokenId === ""
      ? []
      : [{ term: "fungibleTokenId", value: <code>{visibleText(summary.fungibleTokenId)}</code> }]),
  ];
  const identifiers = [
    { term: "didHash", value: <HashText hash={didHash(record.did)} label="didHash" /> },
    { term: "Algorithm", value: hashAlgorithmName(record.dataHashAlgorithm) },
    {
      term: "Registry",
      value: (
        <>
          <AddressText address={deployment.contracts.AppRegistry.address} /> on eip155:{deployment.chainId}
        </>
      ),
    },
    { term: "Transaction", value: <HashText hash={record.transactionHash} label="transaction hash" /> },
  ];
  return (
    <LedgerSection
      title="Stored record"
      id="record"
      note="As stored on the chain. The publisher declares the interfaces and traits."
      fold="Show the record"
    >
      <DefinitionLines lines={lines} />
      <details className="fold">
        <summary>Hashes, registry and transaction</summary>
        <DefinitionLines lines={identifiers} />
      </details>
      <p>
        <a href={dataUrlPath(record.did, record.version)}>Canonical metadata document</a>
      </p>
      {document.ok ? <RawJson value={document.json} label="Metadata" /> : null}
    </LedgerSection>
  );
}

function OwnerText({ account, of }: { account: Account; of: "owner" | "minter" }) {
  return (
    <span className="row">
      <AddressText {...account} />
      <Link href={listHref({ [of]: account.address, status: "any" })} prefetch={false}>
        its records
      </Link>
    </span>
  );
}
