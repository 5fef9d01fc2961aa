"use client";

import { appPath } from "@app-registry/sdk";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Address } from "viem";
import { DefinitionLines } from "../../components/record/documents.tsx";
import type { AccountNames } from "../../components/record/facts.tsx";
import { AddressText, DidText } from "../../components/record/labels.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { type AccountControl, controlHref } from "../../lib/control/accountControl.ts";
import type { RegistryConnection } from "../wallet/config.ts";
import { QueryBoundary } from "../wallet/QueryBoundary.tsx";
import { fetchAccount, useWallet } from "../wallet/useRegistryClient.ts";
import { ChainNotice, WalletBar } from "../wallet/WalletBar.tsx";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import { BlockButtons, ExtendBlocks, useAccountControl } from "./BlockNotice.tsx";
import { ControlAnswer } from "./statements.tsx";

interface AccountControlViewProps {
  connection: RegistryConnection;
  did: string;
  account: Address;
  /** Operator's names for issuers. */
  names: AccountNames;
}

/** Shows whether an account controls a DID and why, and the actions of the connected wallet. */
export function AccountControlView({ connection, ...props }: AccountControlViewProps) {
  return (
    <WalletProviders connection={connection}>
      <Control {...props} />
    </WalletProviders>
  );
}

function Control({ did, account, names }: Omit<AccountControlViewProps, "connection">) {
  const query = useAccountControl(did, account, { watch: true });
  return (
    <div className="stack2">
      <DefinitionLines
        lines={[
          { term: "DID", value: <DidText did={did} /> },
          { term: "Account", value: <AddressText address={account} /> },
        ]}
      />
      <QueryBoundary query={query} asking="Checking the chain…" failed="Couldn't reach the chain">
        {(control) => <Answer did={did} control={control} names={names} />}
      </QueryBoundary>
    </div>
  );
}

type AnswerProps = { did: string; control: AccountControl; names: AccountNames };

function Answer({ did, control, names }: AnswerProps) {
  return (
    <>
      <ControlAnswer control={control} names={names} />
      <LedgerSection
        title="Block"
        note="Stops an account from controlling the DID, for up to 30 days at a time. Only a controller can block."
      >
        <div className="stack2">
          {control.block === undefined ? <p>Not blocked.</p> : null}
          <WalletBar hint="Connect a controller of the DID to block or unblock accounts." />
          <ChainNotice />
          <BlockButtons did={did} control={control} />
          <OtherBlocks did={did} account={control.account} />
        </div>
      </LedgerSection>
      <p className="row">
        <Link href={controlHref(did)} prefetch={false}>
          All accounts of this DID
        </Link>
        <Link href={appPath(did)} prefetch={false}>
          View service
        </Link>
      </p>
    </>
  );
}

/** Extends the blocks of this account and of the accounts that the index lists for the DID, all at once. */
function OtherBlocks({ did, account }: { did: string; account: Address }) {
  const { address } = useWallet();
  const { data } = useQuery({
    queryKey: ["account", address],
    queryFn: () => fetchAccount(address ?? account),
    enabled: address !== undefined,
  });
  const blocks = data?.blocks.filter((block) => block.did === did) ?? [];
  return <ExtendBlocks did={did} accounts={[...new Set([account, ...blocks.map((one) => one.account)])]} />;
}
