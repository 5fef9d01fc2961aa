"use client";

import { type AppStatus, appPath, formatVersion, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { isAddressEqual } from "viem";
import { AddressText } from "../../components/record/identifiers.tsx";
import { AppStatusText, TimeText } from "../../components/record/labels.tsx";
import type { AccountControl } from "../../lib/control/readAccountControl.ts";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { ActionList } from "./ActionList.tsx";
import type { StartOperation } from "./change.ts";
import { createIndexedChange } from "./change.ts";
import { type RecordAction, recordActions } from "./possibleActions.ts";
import { ReplaceForm } from "./ReplaceForm.tsx";
import type { MyRecord } from "./readMyDids.ts";
import { TransferForm } from "./TransferForm.tsx";

const words: Record<RecordAction, string> = {
  publish: "Publish new version",
  activate: "Reactivate",
  deprecate: "Deprecate",
  replace: "Mark as replaced",
  transfer: "Transfer",
  dismissReclaims: "Dismiss reclaims",
  openReclaim: "Reclaim record",
  finishReclaim: "Finish reclaim",
};

const statuses: Partial<Record<RecordAction, AppStatus>> = { activate: 0, deprecate: 1 };

interface RecordItemProps {
  control: AccountControl;
  record: MyRecord;
  begin: StartOperation;
}

/** Shows one record of a DID with the wallet's roles and actions. */
export function RecordItem({ control, record, begin }: RecordItemProps) {
  const client = useRegistryClient();
  const router = useRouter();
  const [form, setForm] = useState<"transfer" | "replace" | undefined>();
  const { summary, name, otherReclaims } = record;
  const { did, versionMajor: major, latestVersion, status, owner, minter } = summary;
  const { account } = control;
  const roles = [
    ...(isAddressEqual(owner, account) ? ["holder"] : []),
    ...(isAddressEqual(minter, account) ? ["minter"] : []),
  ];
  const shown = name === undefined ? "Major version" : visibleText(name);
  const act = (action: RecordAction) => {
    if (action === "publish")
      return router.push(`/register?${new URLSearchParams({ did, major: String(major) })}`);
    if (action === "transfer" || action === "replace") return setForm(form === action ? undefined : action);
    const to = statuses[action];
    const call =
      to !== undefined
        ? client.prepareUpdateStatus({ did, major, status: to })
        : action === "dismissReclaims"
          ? client.prepareDismissReclaims({ did, major })
          : action === "openReclaim"
            ? client.prepareOpenReclaim({ did, major })
            : client.prepareFinishReclaim({ did, major });
    begin?.(createIndexedChange({ did, call, account }));
  };
  const send = (operation: Parameters<NonNullable<StartOperation>>[0]) => {
    setForm(undefined);
    begin?.(operation);
  };
  return (
    <section className="stack" aria-label={`${shown} ${formatVersion(latestVersion)} of ${did}`}>
      <div className="row strong anywhere">
        <Link href={appPath(did, latestVersion)} prefetch={false}>
          <bdi>{shown}</bdi> <span className="mono">{formatVersion(latestVersion)}</span>
        </Link>
        <AppStatusText status={status} />
        <span className="quiet">
          {roles.length === 0 ? "neither holder nor minter" : roles.join(" and ")}
        </span>
      </div>
      {otherReclaims.map(({ claimant, finishableFrom, expiresAt }) => (
        <p key={claimant} className="anywhere">
          <AddressText address={claimant} /> has opened a reclaim of this record. The claimant can take over
          the record from <TimeText seconds={finishableFrom} /> until <TimeText seconds={expiresAt} />, unless
          the minter or holder controls the DID then or dismisses the reclaim.
        </p>
      ))}
      <ActionList possibilities={recordActions(control, record)} words={words} begin={begin} onAct={act} />
      {form === "transfer" ? <TransferForm summary={summary} onSend={send} /> : null}
      {form === "replace" ? <ReplaceForm summary={summary} account={account} onSend={send} /> : null}
    </section>
  );
}
