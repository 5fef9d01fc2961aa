"use client";

import { getSite } from "@app-registry/outbound/site";
import {
  createAppRegistryClient,
  type Deployment,
  dataUrlPath,
  formatProvenLine,
  parseVersion,
  toAppRegistryError,
  type VerificationReport,
  verifyApp,
} from "@app-registry/sdk";
import { useEffect, useState } from "react";
import { createPublicClient, custom, type EIP1193Provider, http } from "viem";
import { FactList } from "../../components/record/facts.tsx";
import { Problem } from "../../components/record/Problem.tsx";

/** Source of chain data: the browser's wallet or an RPC endpoint. */
export type ChainSource = "wallet" | { rpcUrl: string };

type BrowserReportProps = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** The document is on the chain. Otherwise the browser hashes this site's copy. */
  isOnChain: boolean;
  deployment: Deployment;
  source: ChainSource;
};

const getTransport = (source: ChainSource) =>
  source === "wallet"
    ? custom((window as unknown as { ethereum: EIP1193Provider }).ethereum)
    : http(source.rpcUrl, { retryCount: 1 });

async function verifyHere({ did, version, isOnChain, deployment, source }: BrowserReportProps) {
  // With EIP-3668, a contract could make the browser send requests to any host.
  const publicClient = createPublicClient({ transport: getTransport(source), ccipRead: false });
  const client = createAppRegistryClient({ deployment, publicClient });
  const copy = dataUrlPath(did, parseVersion(version));
  return verifyApp({
    client,
    did,
    version: parseVersion(version),
    siteOf: getSite,
    fetchDocument: isOnChain
      ? undefined
      : async (_url, { signal }) => {
          const response = await fetch(copy, { signal });
          if (!response.ok)
            throw new Error(`This site returned HTTP ${response.status} instead of the document.`);
          return response.text();
        },
  });
}

/** Verifies the service in the reader's browser and shows the facts. */
export default function BrowserReport(props: BrowserReportProps) {
  const [report, setReport] = useState<VerificationReport>();
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each run has a component of its own
  useEffect(() => {
    verifyHere(props).then(setReport, (error) => setFailure(toAppRegistryError(error).shortMessage));
  }, []);

  const { source } = props;
  const asked = source === "wallet" ? "your wallet" : new URL(source.rpcUrl).host;
  if (failure !== undefined) {
    return <Problem level={3} tone="unknown" title={`Couldn't check with ${asked}`} why={failure} />;
  }
  if (report === undefined) return <p role="status">Checking with {asked}…</p>;
  const { did, facts, blockNumber } = report;
  const { before, name, after } = formatProvenLine(did, facts.control.outcome);
  return (
    <section aria-label="Checked in your browser" data-report="browser">
      <p role="status" className="anywhere">
        {before} <strong translate="no">{name}</strong>
        {after}. Checked by your browser with {asked}
        {blockNumber === null ? "" : `, block ${blockNumber}`}.
      </p>
      {props.isOnChain ? null : (
        <p className="quiet">The document came from this site. Your browser computed its hash.</p>
      )}
      <FactList facts={facts} />
    </section>
  );
}
