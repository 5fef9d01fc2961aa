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
import { type FormEvent, useEffect, useState } from "react";
import { createPublicClient, custom, type EIP1193Provider, http } from "viem";
import { Button, TextInput } from "../../components/controls/controls.tsx";
import { FactList } from "../../components/record/facts.tsx";
import { Problem } from "../../components/record/Problem.tsx";

/** Version to verify. */
export type CheckedVersion = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** The document is on the chain. Otherwise the browser hashes this site's copy. */
  isOnChain: boolean;
  deployment: Deployment;
};

/** Source of chain data: the browser's wallet or an RPC endpoint. */
type ChainSource = "wallet" | { rpcUrl: string };

type BrowserCheckFormProps = {
  checked: CheckedVersion;
  /** URL that the reader entered before the page was reloaded for it. */
  savedUrl: string | undefined;
  /** Returns true if the page may request a URL. Otherwise leaves the page. */
  openUrl: (url: URL) => boolean;
};

/** Asks for an RPC endpoint or a wallet and verifies the service with it. */
export default function BrowserCheckForm({ checked, savedUrl, openUrl }: BrowserCheckFormProps) {
  const [source, setSource] = useState<{ run: number; from: ChainSource } | undefined>(
    savedUrl === undefined ? undefined : { run: 1, from: { rpcUrl: savedUrl } },
  );
  const [problem, setProblem] = useState<string>();
  const [typed, setTyped] = useState(savedUrl ?? "");
  const ask = (from: ChainSource) => setSource((last) => ({ run: (last?.run ?? 0) + 1, from }));

  function submit(event: FormEvent) {
    event.preventDefault();
    const url = URL.parse(typed.trim());
    const isLoopback = url?.hostname === "localhost" || url?.hostname === "127.0.0.1";
    if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback))) {
      setProblem("Enter the full URL, starting with https://");
      return;
    }
    setProblem(undefined);
    if (openUrl(url)) ask({ rpcUrl: url.href });
  }

  return (
    <>
      <form onSubmit={submit} className="stack">
        <TextInput
          label="RPC URL"
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          value={typed}
          aria-invalid={problem !== undefined}
          aria-describedby="rpc-problem"
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <p id="rpc-problem" className="anywhere" role="alert">
          {problem}
        </p>
        <div className="row">
          <Button type="submit" variant="default">
            Verify with this endpoint
          </Button>
          {"ethereum" in window ? (
            <Button variant="default" onClick={() => ask("wallet")}>
              Verify with my wallet
            </Button>
          ) : null}
        </div>
      </form>
      {source === undefined ? null : (
        <BrowserReport key={source.run} checked={checked} source={source.from} />
      )}
    </>
  );
}

type BrowserReportProps = { checked: CheckedVersion; source: ChainSource };

const getTransport = (source: ChainSource) =>
  source === "wallet"
    ? custom((window as unknown as { ethereum: EIP1193Provider }).ethereum)
    : http(source.rpcUrl, { retryCount: 1 });

async function verifyHere({ checked, source }: BrowserReportProps) {
  const { did, version, isOnChain, deployment } = checked;
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
function BrowserReport(props: BrowserReportProps) {
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
      {props.checked.isOnChain ? null : (
        <p className="quiet">The document came from this site. Your browser computed its hash.</p>
      )}
      <FactList facts={facts} />
    </section>
  );
}
