"use client";

import type { Deployment } from "@app-registry/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { Button, TextInput } from "../../components/controls/controls.tsx";
import BrowserReport, { type ChainSource } from "./BrowserReport.tsx";
import { allowedRpcOrigin, consumeRpcUrl, saveRpcUrl } from "./customRpcUrl.ts";

export type BrowserCheckFormProps = {
  did: string;
  /** major.minor.patch */
  version: string;
  /** The document is on the chain. Otherwise the browser hashes this site's copy. */
  isOnChain: boolean;
  deployment: Deployment;
  /** RPC endpoint that this site suggests. */
  rpcUrl: string;
};

/** Asks for an RPC endpoint or a wallet and verifies the service with it. */
export default function BrowserCheckForm({ rpcUrl, ...checked }: BrowserCheckFormProps) {
  const [source, setSource] = useState<{ run: number; from: ChainSource }>();
  const [problem, setProblem] = useState<string>();
  const [typed, setTyped] = useState("");
  const ask = (from: ChainSource) => setSource((last) => ({ run: (last?.run ?? 0) + 1, from }));

  useEffect(() => {
    const stored = consumeRpcUrl();
    if (stored === undefined) return;
    setTyped(stored);
    setSource({ run: 1, from: { rpcUrl: stored } });
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const url = URL.parse(typed.trim());
    const isLoopback = url?.hostname === "localhost" || url?.hostname === "127.0.0.1";
    if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback))) {
      setProblem("Enter the full URL, starting with https://");
      return;
    }
    setProblem(undefined);
    if ([new URL(rpcUrl).origin, location.origin, allowedRpcOrigin()].includes(url.origin)) {
      ask({ rpcUrl: url.href });
      return;
    }
    // The Content-Security-Policy lists the hosts for requests, so reload the page with one that includes this host.
    saveRpcUrl(url.href);
    location.assign(`${location.pathname}?rpc=${encodeURIComponent(url.origin)}`);
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
      {source === undefined ? null : <BrowserReport key={source.run} {...checked} source={source.from} />}
    </>
  );
}
