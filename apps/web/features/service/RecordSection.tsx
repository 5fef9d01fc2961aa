import { dataUrlPath, didHash, getProvenSubject, hashAlgorithmName, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import { DefinitionLines, RawJson } from "../../components/record/documents.tsx";
import { AddressText, HashText } from "../../components/record/identifiers.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { getPublisherPath } from "../../lib/service/getPublisherPath.ts";
import type { ResolveLink } from "./createLinkResolver.ts";
import type { Account, Service } from "./loadService.ts";
import { PlacedLink } from "./PlacedLink.tsx";

type RecordSectionProps = { service: Service; document: unknown; placeOf: ResolveLink };

/** Shows the record on the chain and its metadata document. */
export function RecordSection({ service, document, placeOf }: RecordSectionProps) {
  const { record, summary, holder, minter, deployment } = service;
  const lines = [
    { term: "Record", value: `No. ${record.tokenId}` },
    {
      term: "Registry",
      value: (
        <>
          <AddressText address={deployment.contracts.AppRegistry.address} /> on eip155:{deployment.chainId}
        </>
      ),
    },
    { term: "Holder", value: <OwnerText account={holder} /> },
    { term: "Minter", value: <OwnerText account={minter} /> },
    {
      term: "Under",
      value: (
        <Link href={getPublisherPath(record.did)} prefetch={false} className="anywhere">
          All services under {getProvenSubject(record.did).name}
        </Link>
      ),
    },
    { term: "Published", value: <TimeText seconds={record.version.registeredAt} /> },
    { term: "Transaction", value: <HashText hash={record.transactionHash} label="transaction hash" /> },
    { term: "didHash", value: <HashText hash={didHash(record.did)} label="didHash" /> },
    { term: "dataHash", value: <HashText hash={record.dataHash} label="dataHash" /> },
    { term: "Algorithm", value: hashAlgorithmName(record.dataHashAlgorithm) },
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
  return (
    <LedgerSection title="Record details" id="record" note="As stored on the chain.">
      <DefinitionLines lines={lines} />
      <p>
        <a href={dataUrlPath(record.did, record.version)}>Canonical metadata document</a>
      </p>
      {document === undefined ? null : <RawJson value={document} label="Metadata" />}
    </LedgerSection>
  );
}

function OwnerText({ account }: { account: Account }) {
  return (
    <span className="row">
      <AddressText {...account} />
      <Link href={`/owners/${account.address}`} prefetch={false}>
        its records
      </Link>
    </span>
  );
}
