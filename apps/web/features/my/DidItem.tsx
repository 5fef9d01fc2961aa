"use client";

import { appPath, formatVersion, getProvenSubject } from "@app-registry/sdk";
import { getResultOutcomes } from "@app-registry/sdk/internal";
import { Button } from "@mantine/core";
import Link from "next/link";
import { use } from "react";
import { Claim } from "../../components/record/claims.tsx";
import { DefinitionLines } from "../../components/record/documents.tsx";
import { RowFacts } from "../../components/record/facts.tsx";
import { AddressText, AppStatusText, DidText, TimedText, TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { controlHref, controlSpan, getRoles } from "../../lib/control/accountControl.ts";
import { claimedName } from "../../lib/record/claims.ts";
import { BlockNotice, ExtendBlocks } from "../control/BlockNotice.tsx";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { ChangeContext, createIndexedChange } from "./changes.tsx";
import styles from "./my.module.css";
import {
  type Action,
  type ActionAvailability,
  didActions,
  explainMissingControl,
  explainUnresolvable,
  nextActions,
  recordActions,
} from "./possibleActions.ts";
import type { MyDid, MyRecord } from "./readMyDids.ts";
import { actionWords, useActions } from "./useActions.tsx";

/** Shows a DID of the wallet in one row: its state, what needs attention and the next action. Details are in a fold. */
export function DidItem({ my, latest }: { my: MyDid; latest: MyRecord }) {
  const { did, control, waiting, challenges, records } = my;
  const actions = [...didActions(my), ...recordActions(control, latest)];
  const next = nextActions(actions);
  const { buttons, panel } = useActions({ my, record: latest, place: did });
  const older = records.filter((record) => record !== latest);
  return (
    <li className="stack" id={did} tabIndex={-1}>
      <div className={`stack ${styles.head}`}>
        <div>
          <h2 className="minor">
            <RecordTitle my={my} record={latest} />
          </h2>
          <span className="small">
            <DidText did={did} />
          </span>
        </div>
        <div className="stack">
          <Role my={my} />
          <Facts record={latest} />
        </div>
        <div>{buttons(next)}</div>
      </div>
      <Reclaims record={latest} />
      {waiting.map((account) => (
        <BlockNotice key={account} did={did} account={account} />
      ))}
      <ExtendBlocks did={did} accounts={waiting} />
      {challenges.map((challenge) => (
        <Challenge key={challenge.challenger + challenge.incumbent} my={my} challenge={challenge} />
      ))}
      {panel}
      <details className="fold" open={older.some(({ otherReclaims }) => otherReclaims.length > 0)}>
        <summary>Details and other actions</summary>
        <div className="stack2" style={{ fontSize: "var(--text-15)" }}>
          <Actions {...{ my, record: latest }} actions={actions.filter(({ id }) => !next.includes(id))} />
          {older.map((record) => (
            <section key={record.summary.versionMajor} className="stack">
              <h3 className="minor">
                <RecordTitle my={my} record={record} />
              </h3>
              <Reclaims record={record} />
              <Actions my={my} record={record} actions={recordActions(control, record)} />
            </section>
          ))}
          <p>
            <Link href={controlHref(did, control.account)} prefetch={false}>
              Control details
            </Link>
          </p>
        </div>
      </details>
    </li>
  );
}

type RecordProps = { my: MyDid; record: MyRecord };

/** Shows a record's name, version and status, and the wallet's roles. */
function RecordTitle({ my: { did, control }, record: { summary, name } }: RecordProps) {
  const { latestVersion, status } = summary;
  const roles = getRoles(control.account, summary);
  return (
    <span className="row anywhere">
      <Link href={appPath(did, latestVersion)} prefetch={false}>
        <bdi className="strong" dir="ltr" translate="no">
          {getProvenSubject(did).name}
        </bdi>{" "}
        <span className="mono">{formatVersion(latestVersion)}</span>
      </Link>
      {name === undefined ? null : (
        <span data-claims style={{ fontWeight: 400 }}>
          <Claim kind="name" text={claimedName(name)} />
        </span>
      )}
      <AppStatusText status={status} />
      <span className="quiet">{roles.join(" and ") || "neither holder nor minter"}</span>
    </span>
  );
}

/** Shows whether the wallet controls the DID, until when, or why not. */
function Role({ my }: { my: MyDid }) {
  const { control } = my;
  const until = controlSpan(control)?.until;
  const reason = explainMissingControl(control);
  const isRenewable = didActions(my).some((action) => action.id === "renew" && action.reason === undefined);
  return (
    <p className="marked">
      <StatusMark
        outcome={reason === undefined ? "pass" : control.controller.attested ? "unknown" : "fail"}
      />
      <span>
        <TimedText text={reason ?? "This wallet controls the DID"} />
        {reason === undefined && until !== undefined ? (
          <>
            , valid until <TimeText seconds={until} dateOnly />
            {isRenewable ? ". Renewal is due." : ""}
          </>
        ) : null}
      </span>
    </p>
  );
}

/** Shows the six marks of a record according to the index. */
function Facts({ record: { facts, live, summary } }: { record: MyRecord }) {
  if (facts === undefined) return null;
  const { status } = summary;
  return <RowFacts outcomes={getResultOutcomes({ facts, status })} result={{ status, live }} />;
}

/** Shows other accounts' open reclaims of a record. */
const Reclaims = ({ record }: { record: MyRecord }) =>
  record.otherReclaims.map(({ claimant, finishableFrom, expiresAt }) => (
    <p key={claimant} className="anywhere">
      <AddressText address={claimant} /> has opened a reclaim of this record. The claimant can take over the
      record from <TimeText seconds={finishableFrom} /> until <TimeText seconds={expiresAt} />, unless the
      minter or holder controls the DID then or dismisses the reclaim.
    </p>
  ));

type ActionsProps = RecordProps & { actions: readonly ActionAvailability<Action>[] };

/** Renders possible actions as buttons, and the other actions with the reason in a fold. */
function Actions({ my, record, actions }: ActionsProps) {
  const place = `${my.did} ${record.summary.versionMajor}`;
  const { buttons, panel } = useActions({ my, record, place });
  const others = actions.filter(({ reason }) => reason !== undefined);
  return (
    <div className="stack">
      <div className="bar">
        {buttons(actions.flatMap(({ id, reason }) => (reason === undefined ? [id] : [])))}
      </div>
      {panel}
      {others.length === 0 ? null : (
        <details className="fold">
          <summary>Actions that aren't possible now</summary>
          <DefinitionLines
            lines={others.map(({ id, reason = "" }) => ({
              term: actionWords[id],
              value: <TimedText text={reason} />,
            }))}
          />
        </details>
      )}
    </div>
  );
}

type ChallengeProps = { my: MyDid; challenge: MyDid["challenges"][number] };

function Challenge({ my, challenge }: ChallengeProps) {
  const client = useRegistryClient();
  const change = use(ChangeContext);
  const { did, challenger, incumbent, expiresAt } = challenge;
  const { account } = my.control;
  const reason = explainUnresolvable(challenge, my);
  const resolve = () => {
    const call = client.prepareResolveChallenge({ did, incumbent, challenger });
    change.open(createIndexedChange({ did, call, account }), did);
  };
  return (
    <section className="stack" aria-label="Challenge">
      <p className="anywhere">
        {challenger === account ? "This wallet" : challenger} challenges{" "}
        {incumbent === account ? "this wallet" : incumbent}. The challenge expires on{" "}
        <TimeText seconds={expiresAt} />. <TimedText text={reason ?? ""} />
      </p>
      {reason === undefined ? (
        <div>
          <Button variant="default" size="compact-sm" disabled={!change.isFree} onClick={resolve}>
            Resolve challenge
          </Button>
        </div>
      ) : null}
    </section>
  );
}
