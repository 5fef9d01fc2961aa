"use client";

import { createControlCheck } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useState } from "react";
import { AddressText, DidText } from "../../components/record/identifiers.tsx";
import { TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { controlEnd } from "../../lib/control/controlWaits.ts";
import { BlockNotice, ExtendBlocks } from "../control/BlockNotice.tsx";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { ActionList } from "./ActionList.tsx";
import { createIndexedChange, type StartOperation } from "./change.ts";
import {
  challengeable,
  type DidAction,
  didActions,
  explainMissingControl,
  explainUnresolvable,
} from "./possibleActions.ts";
import { RecordItem } from "./RecordItem.tsx";
import type { MyDid } from "./readMyDids.ts";

const words: Record<DidAction, string> = {
  renew: "Renew attestation",
  challenge: "Challenge controller",
};

/** Shows a DID of the wallet: its role, accounts waiting for control, and its records with their actions. */
export function DidItem({ my, begin }: { my: MyDid; begin: StartOperation }) {
  const { did, control, waiting, challenges, records } = my;
  const [isChallenging, setChallenging] = useState(false);
  const wallet = control.account;
  return (
    <li className="stack2 headed" style={{ paddingBlock: "var(--space-2)" }}>
      <div className="stack">
        <h2 className="subtitle">
          <DidText did={did} />
        </h2>
        <Role my={my} />
      </div>
      {waiting.map((account) => (
        <BlockNotice key={account} did={did} account={account} />
      ))}
      <ExtendBlocks did={did} accounts={waiting} />
      <ActionList
        possibilities={didActions(my)}
        words={words}
        begin={begin}
        onAct={(action) =>
          action === "renew" ? begin?.(createControlCheck(did, wallet, true)) : setChallenging(!isChallenging)
        }
      />
      {isChallenging ? <ChallengeChoice my={my} begin={begin} /> : null}
      {challenges.map((challenge) => (
        <Challenge key={challenge.challenger + challenge.incumbent} {...{ my, challenge, begin }} />
      ))}
      {records.map((record) => (
        <RecordItem key={record.summary.versionMajor} {...{ control, record, begin }} />
      ))}
    </li>
  );
}

/** Shows whether the wallet controls the DID, until when, or why not. */
function Role({ my: { control } }: { my: MyDid }) {
  const until = controlEnd(control);
  const reason = explainMissingControl(control);
  return (
    <p className="marked">
      <StatusMark
        outcome={reason === undefined ? "pass" : control.controller.attested ? "unknown" : "fail"}
      />
      <span>
        {reason === undefined ? "This wallet controls the DID" : reason}
        {reason === undefined && until !== undefined ? (
          <>
            , valid until <TimeText seconds={until} dateOnly />
          </>
        ) : null}
      </span>
    </p>
  );
}

/** Offers the controllers that can be challenged, with the condition for winning. */
function ChallengeChoice({
  my: { did, control, others, challenges },
  begin,
}: {
  my: MyDid;
  begin: StartOperation;
}) {
  const client = useRegistryClient();
  return (
    <section className="stack" aria-label="Challenge a controller">
      <p className="soft">
        A challenge removes a controller if, when it can be resolved, more issuers back you than that
        controller. Issuers backing this wallet: {control.controller.score}.
      </p>
      <ul className="ruled">
        {challengeable(control.account, others, challenges).map(({ account, controller }) => (
          <li key={account} className="bar">
            <AddressText address={account} />
            <span className="quiet">Issuers backing this account: {controller.resistance}</span>
            <Button
              variant="default"
              size="compact-sm"
              disabled={begin === undefined}
              onClick={() => {
                const call = client.prepareChallengeDid({ did, incumbent: account });
                begin?.(createIndexedChange({ did, call, account: control.account }));
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

type ChallengeProps = { my: MyDid; challenge: MyDid["challenges"][number]; begin: StartOperation };

function Challenge({ my, challenge, begin }: ChallengeProps) {
  const client = useRegistryClient();
  const { did, challenger, incumbent, expiresAt } = challenge;
  const { account } = my.control;
  return (
    <section className="stack" aria-label="Challenge">
      <p className="anywhere">
        {challenger === account ? "This wallet" : challenger} challenges{" "}
        {incumbent === account ? "this wallet" : incumbent}. The challenge expires on{" "}
        <TimeText seconds={expiresAt} />.
      </p>
      <ActionList
        possibilities={[{ id: "resolve", reason: explainUnresolvable(challenge, my) }]}
        words={{ resolve: "Resolve challenge" }}
        begin={begin}
        onAct={() => {
          const call = client.prepareResolveChallenge({ did, incumbent, challenger });
          begin?.(createIndexedChange({ did, call, account }));
        }}
      />
    </section>
  );
}
