"use client";

import { type AppStatus, createControlCheck, type Operation, type PreparedCall } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { type ReactNode, use, useState } from "react";
import { AddressText } from "../../components/record/labels.tsx";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { ChangeAt, ChangeContext, createIndexedChange, StatusForm, TransferForm } from "./changes.tsx";
import { type Action, challengeable, isPublisher } from "./possibleActions.ts";
import type { MyDid, MyRecord } from "./readMyDids.ts";

export const actionWords: Record<Action, string> = {
  renew: "Renew attestation",
  challenge: "Challenge controller",
  publish: "Publish new version",
  activate: "Reactivate",
  deprecate: "Deprecate",
  replace: "Mark as replaced",
  transfer: "Transfer",
  dismissReclaims: "Dismiss reclaims",
  openReclaim: "Reclaim record",
  finishReclaim: "Finish reclaim",
};

const statuses: Partial<Record<Action, AppStatus>> = { deprecate: 1, replace: 2 };

type ActionsParameters = { my: MyDid; record: MyRecord; place: string };

/** Returns the buttons of actions on a DID and its record, and the form or the steps of the pressed one. */
export function useActions({ my, record, place }: ActionsParameters) {
  const client = useRegistryClient();
  const router = useRouter();
  const change = use(ChangeContext);
  const [form, setForm] = useState<Action>();
  const { did, control } = my;
  const { account } = control;
  const { summary } = record;
  const major = summary.versionMajor;
  const show = (operation: Operation) => {
    setForm(undefined);
    change.open(operation, place);
  };
  const open = (call: PreparedCall) => show(createIndexedChange({ did, call, account }));
  const toggle = (action: Action) => () => setForm(form === action ? undefined : action);
  const send = (operation: Operation) => {
    setForm(undefined);
    change.start(operation, place);
  };
  const acts: Record<Action, () => void> = {
    renew: () => show(createControlCheck(did, account, true)),
    publish: () => router.push(`/register?${new URLSearchParams({ did, major: String(major) })}`),
    activate: () => open(client.prepareUpdateStatus({ did, major, status: 0 })),
    dismissReclaims: () => open(client.prepareDismissReclaims({ did, major })),
    openReclaim: () => open(client.prepareOpenReclaim({ did, major })),
    finishReclaim: () => open(client.prepareFinishReclaim({ did, major })),
    challenge: toggle("challenge"),
    transfer: toggle("transfer"),
    deprecate: toggle("deprecate"),
    replace: toggle("replace"),
  };
  const buttons = (actions: readonly Action[]): ReactNode =>
    actions.map((id) => (
      <Button
        key={id}
        variant="default"
        size="compact-sm"
        aria-expanded={id === form || undefined}
        disabled={!change.isFree}
        onClick={acts[id]}
      >
        {actionWords[id]}
      </Button>
    ));
  const status = form && statuses[form];
  const panel = (
    <>
      {form === "challenge" ? <ChallengeChoice my={my} onSend={send} /> : null}
      {form === "transfer" ? <TransferForm summary={summary} onSend={send} /> : null}
      {status === undefined ? null : (
        <StatusForm
          key={status}
          {...{ summary, account, status }}
          canPublish={isPublisher(control, record)}
          onSend={send}
        />
      )}
      <ChangeAt place={place} />
    </>
  );
  return { buttons, panel };
}

type ChallengeChoiceProps = { my: MyDid; onSend: (operation: Operation) => void };

/** Offers the controllers that can be challenged, with the condition for winning. */
function ChallengeChoice({ my: { did, control, others, challenges }, onSend }: ChallengeChoiceProps) {
  const client = useRegistryClient();
  return (
    <section className="stack" aria-label="Challenge a controller">
      <p className="soft">
        A challenge removes a controller if, when it can be resolved, more issuers back you than that
        controller. Issuers backing this wallet: {control.controller.score}.
      </p>
      <ul className="ruled">
        {challengeable(control.account, others, challenges).map(({ account, controller }, index) => (
          <li key={account} className="bar">
            <AddressText address={account} />
            <span className="quiet">Issuers backing this account: {controller.resistance}</span>
            <Button
              variant="default"
              size="compact-sm"
              autoFocus={index === 0}
              onClick={() => {
                const call = client.prepareChallengeDid({ did, incumbent: account });
                onSend(createIndexedChange({ did, call, account: control.account }));
              }}
            >
              Challenge
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
