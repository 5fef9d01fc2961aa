"use client";

import { nextStage } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useEffect } from "react";
import type { Address } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import type { Account } from "../../lib/server/readAccount.ts";
import { Asked } from "../wallet/Asked.tsx";
import type { RegistryConnection } from "../wallet/config.ts";
import { useOperation } from "../wallet/useOperation.ts";
import { useRegistryClient, useRegistryConnection, useWallet } from "../wallet/useRegistryClient.ts";
import { WalletFrame } from "../wallet/WalletBar.tsx";
import type { Begin } from "./change.ts";
import { DidItem } from "./DidItem.tsx";
import { RunningOperation } from "./RunningOperation.tsx";
import { type MyDid, readMyDids } from "./readMyDids.ts";

/** What the connected wallet controls, holds, minted or waits for. */
export function MyServices({ connection }: { connection: RegistryConnection }) {
  return (
    <WalletFrame connection={connection}>
      <Mine />
    </WalletFrame>
  );
}

function Mine() {
  const { deployment } = useRegistryConnection();
  const { address, isOnRegistryChain, isOpening } = useWallet();
  const state = useOperation(`app-registry.change.${deployment.chainId}`);
  const { operation, isDone, isRunning, start } = state;
  const queries = useQueryClient();
  useEffect(() => {
    if (!isDone) return;
    void queries.invalidateQueries({ queryKey: ["my"] });
    void queries.invalidateQueries({ queryKey: ["controller"] });
  }, [isDone, queries]);
  const isFree = operation === undefined || nextStage(operation) === undefined;
  const begin: Begin = isOnRegistryChain && isFree && !isRunning ? start : undefined;
  return (
    <>
      {operation === undefined ? null : <RunningOperation state={state} operation={operation} />}
      {isOpening ? (
        <p className="soft">Opening your wallet</p>
      ) : address === undefined ? (
        <p className="soft">Connect a wallet to see what it controls, holds, minted or waits for.</p>
      ) : (
        <Services wallet={address} begin={begin} />
      )}
    </>
  );
}

function Services({ wallet, begin }: { wallet: Address; begin: Begin }) {
  const mine = useMyDids(wallet);
  return (
    <Asked
      query={mine}
      asking="Asking the chain what this wallet controls, holds, minted or waits for"
      failed="Your services could not be read"
    >
      {({ dids, account }) => (
        <div className="stack2">
          {account === undefined ? (
            <Problem
              tone="unknown"
              title="The index does not answer"
              why="Only the records that this wallet holds are shown. Those that it minted, controls or waits for, and newcomers, are not known now."
            />
          ) : null}
          {dids.length === 0 ? (
            <div className="bar">
              <p>This wallet holds no service, and controls none.</p>
              <Button component={Link} href="/register">
                Register a service
              </Button>
            </div>
          ) : (
            <ul aria-label="My services" className="stack3">
              {dids.map((my) => (
                <DidItem key={my.did} my={my} begin={begin} />
              ))}
            </ul>
          )}
          {account?.unregistered ? (
            <p className="soft">
              Issuers also attest this wallet for {account.unregistered}{" "}
              {account.unregistered === 1 ? "DID" : "DIDs"} without a record. The registry knows these by
              their hash only.
            </p>
          ) : null}
          {account === undefined ? null : (
            <p className="quiet">
              <a href={`/feed.atom/controllers/${wallet}`}>Feed</a> of the accounts that ask to control these
              DIDs, for a feed reader.
            </p>
          )}
        </div>
      )}
    </Asked>
  );
}

async function readAccount(wallet: Address): Promise<Account | undefined> {
  const response = await fetch(`/api/accounts/${wallet}`);
  return response.ok ? ((await response.json()) as Account) : undefined;
}

/** What the chain says now of the DIDs that the index names; read anew after each change. */
function useMyDids(wallet: Address) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["my", client.deployment.chainId, wallet],
    queryFn: async (): Promise<{ dids: MyDid[]; account: Account | undefined }> => {
      const account = await readAccount(wallet).catch(() => undefined);
      return { dids: await readMyDids(client, wallet, account), account };
    },
  });
}
