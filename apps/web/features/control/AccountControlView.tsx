"use client";

import { appPath, toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import Link from "next/link";
import type { Address } from "viem";
import { AddressText } from "../../components/record/AddressText.tsx";
import { DefinitionLines } from "../../components/record/DefinitionLines.tsx";
import { DidText } from "../../components/record/DidText.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { LedgerSection } from "../../components/shell/LedgerSection.tsx";
import type { RegistryConnection } from "../wallet/config.ts";
import { ChainNotice, WalletBar } from "../wallet/WalletBar.tsx";
import { WalletProviders } from "../wallet/WalletProviders.tsx";
import { AttestationList } from "./AttestationList.tsx";
import { ControllerActions } from "./ControllerActions.tsx";
import styles from "./ControlPage.module.css";
import { ObjectionList } from "./ObjectionList.tsx";
import type { AccountControl } from "./readAccountControl.ts";
import { useAccountControl } from "./useAccountControl.ts";
import { WaitList } from "./WaitList.tsx";

interface AccountControlViewProps {
  connection: RegistryConnection;
  did: string;
  account: Address;
}

/** Whether an account controls a DID, why, and what the connected wallet can do about it. */
export function AccountControlView({ connection, did, account }: AccountControlViewProps) {
  return (
    <WalletProviders connection={connection}>
      <div className={styles.page}>
        <div className={styles.wallet}>
          <WalletBar hint="Connect a controller of the DID to vouch or to object." />
        </div>
        <ChainNotice />
        <Control did={did} account={account} />
      </div>
    </WalletProviders>
  );
}

function Control({ did, account }: { did: string; account: Address }) {
  const { data: control, error, isError, refetch } = useAccountControl(did, account, { watch: true });
  return (
    <>
      <DefinitionLines
        lines={[
          { term: "DID", value: <DidText did={did} /> },
          { term: "Account", value: <AddressText address={account} /> },
        ]}
      />
      {control ? (
        <Answer did={did} control={control} />
      ) : isError ? (
        <Problem
          tone="unknown"
          title="The chain does not answer"
          why={toAppRegistryError(error).shortMessage}
          action={<Button onClick={() => void refetch()}>Ask again</Button>}
        />
      ) : (
        <p>Asking the chain</p>
      )}
    </>
  );
}

function Answer({ did, control }: { did: string; control: AccountControl }) {
  const { controller, attestations, issuers, objections } = control;
  return (
    <>
      <p className={styles.answer} role="status">
        <StatusMark outcome={controller.counts ? "pass" : "fail"} />
        {controller.counts
          ? "This account counts as a controller of the DID."
          : "This account does not count as a controller of the DID."}
      </p>
      <WaitList control={control} />
      <ControllerActions did={did} control={control} />
      <div>
        <LedgerSection
          title="Attestations"
          note={`Score ${controller.score}, the issuers whose attestation has settled. Standing ${controller.standing}, with those whose attestation ended lately.`}
        >
          <AttestationList attestations={attestations} issuers={issuers} />
        </LedgerSection>
        <LedgerSection
          title="Objections"
          note="By accounts that counted then, or were late with their renewal."
        >
          <ObjectionList objections={objections} />
        </LedgerSection>
      </div>
      <p>
        <Link href={appPath(did)} prefetch={false}>
          The service of this DID
        </Link>
      </p>
    </>
  );
}
