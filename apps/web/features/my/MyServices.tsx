"use client";

import {
  appStatusLabels,
  describeTransaction,
  getStage,
  isSent,
  type Operation,
  searchApps,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { Address } from "viem";
import { getBlockNumber } from "viem/actions";
import { Problem } from "../../components/record/Problem.tsx";
import type { Account } from "../../lib/server/accounts/readAccount.ts";
import type { RegistryConnection } from "../wallet/config.ts";
import { QueryBoundary } from "../wallet/QueryBoundary.tsx";
import { useOperation } from "../wallet/useOperation.ts";
import {
  fetchAccount,
  useRegistryClient,
  useRegistryConnection,
  useWallet,
} from "../wallet/useRegistryClient.ts";
import { ChainNotice, WalletBar } from "../wallet/WalletBar.tsx";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import { OperationProblemView, OperationSteps } from "../wizard/submission/OperationSteps.tsx";
import { ChangeContext, type PageChange } from "./changes.tsx";
import { DidItem } from "./DidItem.tsx";
import { type MyDid, readMyDids } from "./readMyDids.ts";

/** Shows the services that the connected wallet controls, holds, minted or waits to control. */
export function MyServices({ connection }: { connection: RegistryConnection }) {
  return (
    <WalletProviders connection={connection}>
      <div className="headed">
        <WalletBar
          hint="Connect one to see the services it controls, holds, registered or is waiting to control."
          isPrimary
        />
      </div>
      <ChainNotice />
      <Mine />
    </WalletProviders>
  );
}

function Mine() {
  const { deployment } = useRegistryConnection();
  const { address, isOnRegistryChain, isOpening } = useWallet();
  const state = useOperation(`app-registry.change.${deployment.chainId}`);
  const { operation, isDone, isRunning, show, start } = state;
  const [pressed, setPressed] = useState<Pressed>();
  const client = useRegistryClient();
  /** Block after the wallet's last change, which the index must have. */
  const changedAt = useRef<number>(undefined);
  const mine = useMyDids(address, changedAt);
  const queries = useQueryClient();
  useEffect(() => {
    if (!isDone) return;
    void queries.invalidateQueries({ queryKey: ["controller"] });
    // A cached number may be older than the change. Without an answer, read the lists as they are.
    void getBlockNumber(client.publicClient, { cacheTime: 0 })
      .then(Number, () => undefined)
      .then((block) => {
        changedAt.current = block;
        void queries.invalidateQueries({ queryKey: ["my"] });
      });
  }, [isDone, queries, client]);
  useEffect(() => {
    if (operation !== undefined || pressed === undefined) return;
    const { button, place } = pressed;
    const [did = ""] = place.split(" ");
    const isThere = button?.isConnected && button !== document.body;
    (isThere ? button : document.getElementById(did))?.focus();
    setPressed(undefined);
  }, [operation, pressed]);
  const press = (begin: (operation: Operation) => void) => (begun: Operation, place: string) => {
    const button = document.activeElement as HTMLElement | null;
    begin(begun);
    setPressed({ place, button });
  };
  const isListed = mine.data?.dids.some(({ did }) => did === operation?.did);
  const view =
    operation === undefined ? null : (
      <RunningOperation state={state} operation={operation} pressed={pressed} />
    );
  const change: PageChange = {
    isFree: isOnRegistryChain && !isRunning && (operation === undefined || isDone || !isSent(operation)),
    open: press(show),
    start: press(start),
    place: pressed?.place ?? operation?.did,
    view,
  };
  return (
    <ChangeContext value={change}>
      {isListed ? null : view}
      {isOpening ? (
        <p className="soft">Connecting to your wallet…</p>
      ) : address === undefined ? null : (
        <Services wallet={address} mine={mine} />
      )}
    </ChangeContext>
  );
}

/** Place of a pressed action, and the button that gets the focus back, or else the service's row. */
type Pressed = { place: string; button: HTMLElement | null };

function Services({ wallet, mine }: { wallet: Address; mine: ReturnType<typeof useMyDids> }) {
  return (
    <QueryBoundary query={mine} asking="Loading your services…" failed="Couldn't load your services">
      {({ dids, account }) => (
        <div className="stack2">
          {account === undefined ? (
            <Problem
              tone="unknown"
              title="The search index is unavailable"
              why="Only records that this wallet holds are shown. Other records that this wallet registered, controls or is waiting to control are missing, and so are other accounts that are waiting for control."
            />
          ) : null}
          {dids.length === 0 ? (
            <div className="bar">
              <p>This wallet doesn't hold or control any services.</p>
              <Button component={Link} href="/register">
                Register a service
              </Button>
            </div>
          ) : (
            <>
              <p className="quiet" data-claims-label>
                Claimed by publishers, not verified: texts in “quotes”
              </p>
              <ul className="ruled" aria-label="My services">
                {dids.map((my) => {
                  const [latest] = my.records;
                  return latest === undefined ? null : <DidItem key={my.did} my={my} latest={latest} />;
                })}
              </ul>
            </>
          )}
          {account?.unregistered ? (
            <p className="soft">
              Issuers also attest that this wallet controls {account.unregistered}{" "}
              {account.unregistered === 1 ? "DID" : "DIDs"} without a record. The registry knows them only by
              hash.
            </p>
          ) : null}
          {account === undefined ? null : (
            <p className="quiet">
              <a href={`/feed.atom/controllers/${wallet}`}>Feed</a> of accounts waiting for control of these
              DIDs, and of blocks that end within a week (for feed readers).
            </p>
          )}
        </div>
      )}
    </QueryBoundary>
  );
}

/** Number of records that the wallet holds, and that it minted, whose facts are shown. */
const MAX_FACTS = 50;

/** Reads the chain's state of the DIDs that the index lists, again after each change. */
function useMyDids(wallet: Address | undefined, changedAt: RefObject<number | undefined>) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["my", client.deployment.chainId, wallet],
    queryFn:
      wallet === undefined
        ? skipToken
        : async (): Promise<{ dids: MyDid[]; account: Account | undefined }> => {
            const minBlock = changedAt.current;
            const account = (await fetchAccount(wallet, minBlock)) ?? undefined;
            const searches = [{ owner: wallet }, { minter: wallet }].map((role) =>
              searchApps({ baseUrl: location.origin, status: "any", limit: MAX_FACTS, minBlock, ...role }),
            );
            const results = await Promise.all(searches).catch(() => []);
            const found = results.flatMap((page) => page.results);
            return { dids: await readMyDids(client, wallet, account, found), account };
          },
  });
}

interface RunningOperationProps {
  state: ReturnType<typeof useOperation>;
  operation: Operation;
  /** Focuses the heading whenever this changes, unless it is undefined. */
  pressed: object | undefined;
}

/** Shows a change: its consequence, stages and problem. Stays until the user closes it. */
function RunningOperation({ state, operation, pressed }: RunningOperationProps) {
  const { deployment } = useRegistryConnection();
  const heading = useRef<HTMLHeadingElement>(null);
  const { isDone, isRunning, run, discard } = state;
  const { problem } = operation;
  useEffect(() => {
    if (pressed !== undefined) heading.current?.focus();
  }, [pressed]);
  const { sentence, details } = describeOperation(operation, deployment);
  const opensWallet = getStage(operation, "sign")?.state === "todo" && !isRunning;
  return (
    <section className="stack2" aria-label="Your change" style={{ paddingBlock: "var(--space-1)" }}>
      <h2 className="subtitle anywhere" ref={heading} tabIndex={-1}>
        {sentence}
      </h2>
      {isSent(operation) ? null : (
        <p className="soft anywhere">
          {details.join(" ")} {opensWallet ? "Your wallet opens when you continue." : ""}
        </p>
      )}
      <OperationSteps operation={operation} />
      {problem === undefined ? null : <OperationProblemView problem={problem} />}
      {isRunning ? null : (
        <div className="bar">
          {isDone ? null : (
            <Button
              onClick={() => {
                // This button disappears, and the browser would move the focus to the page's beginning.
                heading.current?.focus();
                void run();
              }}
            >
              {problem === undefined ? "Continue" : "Try again"}
            </Button>
          )}
          <Button variant="default" onClick={discard}>
            {isDone ? "Close" : isSent(operation) ? "Hide" : "Discard"}
          </Button>
        </div>
      )}
    </section>
  );
}

function describeOperation(
  { did, request, transaction }: Operation,
  deployment: Parameters<typeof describeTransaction>[1],
): { sentence: string; details: string[] } {
  if (request !== undefined) {
    const status =
      request.status === undefined ? "" : `, then mark the record as ${appStatusLabels[request.status]}`;
    return { sentence: `Publish version ${request.version} of ${did}${status}`, details: [] };
  }
  if (transaction === undefined) {
    const check = "The issuer checks again that this wallet controls the DID, and extends its attestation.";
    return { sentence: `Renew your attestation for ${did}`, details: [check] };
  }
  return describeTransaction(transaction, deployment) ?? { sentence: `Change ${did}`, details: [] };
}
