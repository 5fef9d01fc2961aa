"use client";

import { appPath } from "@app-registry/sdk";
import Link from "next/link";
import type { Address } from "viem";
import { DefinitionLines } from "../../components/record/documents.tsx";
import type { AccountNames } from "../../components/record/FactLine.tsx";
import { StatusMark } from "../../components/record/facts.tsx";
import { AddressText, DidText } from "../../components/record/identifiers.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { Asked } from "../wallet/Asked.tsx";
import type { RegistryConnection } from "../wallet/config.ts";
import { WalletFrame } from "../wallet/WalletBar.tsx";
import { ControllerActions, useAccountControl } from "./ControllerActions.tsx";
import type { AccountControl } from "./readAccountControl.ts";
import { AttestationList, ObjectionList } from "./statements.tsx";
import { WaitList } from "./WaitList.tsx";

interface AccountControlViewProps {
  connection: RegistryConnection;
  did: string;
  account: Address;
  /** What the operator calls the issuers. */
  names: AccountNames;
}

/** Whether an account controls a DID, why, and what the connected wallet can do about it. */
export function AccountControlView({ connection, ...props }: AccountControlViewProps) {
  return (
    <WalletFrame connection={connection} hint="Connect a controller of the DID to vouch or to object.">
      <Control {...props} />
    </WalletFrame>
  );
}

function Control({ did, account, names }: Omit<AccountControlViewProps, "connection">) {
  const query = useAccountControl(did, account, { watch: true });
  return (
    <div className="stack3" style={{ paddingTop: "var(--space-3)" }}>
      <DefinitionLines
        lines={[
          { term: "DID", value: <DidText did={did} /> },
          { term: "Account", value: <AddressText address={account} /> },
        ]}
      />
      <Asked query={query} asking="Checking the chain…" failed="Couldn't reach the chain">
        {(control) => <Answer did={did} control={control} names={names} />}
      </Asked>
    </div>
  );
}

type AnswerProps = { did: string; control: AccountControl; names: AccountNames };

function Answer({ did, control, names }: AnswerProps) {
  const { controller, attestations, issuers, objections } = control;
  return (
    <>
      <p className="marked subtitle strong" role="status">
        <StatusMark outcome={controller.counts ? "pass" : "fail"} />
        <span>
          {controller.counts ? "This account controls the DID." : "This account does not control the DID."}
        </span>
      </p>
      <WaitList control={control} />
      <ControllerActions did={did} control={control} />
      <div>
        <LedgerSection
          title="Attestations"
          note={`Score ${controller.score}: issuers with a matured attestation. Standing ${controller.standing}: also includes issuers whose matured attestation expired or ended recently.`}
        >
          <AttestationList attestations={attestations} issuers={issuers} names={names} />
        </LedgerSection>
        <LedgerSection
          title="Objections"
          note="Made by accounts that controlled the DID at the time, or whose renewal was overdue."
        >
          <ObjectionList objections={objections} />
        </LedgerSection>
      </div>
      <p>
        <Link href={appPath(did)} prefetch={false}>
          View service
        </Link>
      </p>
    </>
  );
}
