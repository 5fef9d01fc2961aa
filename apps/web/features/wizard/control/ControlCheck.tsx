import type { AttestationWay } from "@app-registry/sdk";
import { Button, Checkbox } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import type { Address } from "viem";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { TimeText } from "../../../components/record/labels.tsx";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { WaitList } from "../../control/statements.tsx";
import { OperationProblemView } from "../submission/OperationSteps.tsx";
import { controlTexts, createOwnershipTransfer } from "./controlState.ts";
import { type CheckedControl, type PollingState, useControl } from "./useControl.ts";

interface ControlCheckProps {
  did: string;
  account: Address;
}

/** Shows and checks a wallet's control of a DID other than the draft's. */
export function OtherControlCheck(props: ControlCheckProps) {
  return <ControlCheck {...props} control={useControl(props.did, props.account)} />;
}

/** Shows whether a wallet controls a DID according to the registry, with a button that requests a check. */
export function ControlCheck({ did, account, control }: ControlCheckProps & { control: CheckedControl }) {
  const { state, note, check, isWatching, setWatching, watch } = control;
  const { outcome, text } = controlTexts[state.kind];
  return (
    <div className="stack2" style={{ justifyItems: "start" }}>
      <p className="marked" role="status">
        {note === undefined ? <StatusMark outcome={outcome} /> : null}{" "}
        <span>
          {note ?? text}
          {note === undefined && state.kind === "holds" && state.until !== undefined ? (
            <>
              {" "}
              Valid until <TimeText seconds={state.until} dateOnly />.
            </>
          ) : null}
        </span>
      </p>
      {state.kind === "waits" ? <WaitList control={state.control} /> : null}
      {state.kind === "holds" ? null : (
        <Button variant="default" size="compact-sm" loading={note !== undefined} onClick={() => void check()}>
          {state.kind === "failed" ? "Check again" : "Check control"}
        </Button>
      )}
      {state.kind === "failed" ? (
        <>
          <OperationProblemView problem={state.problem} />
          <OwnerCall did={did} account={account} ways={state.problem.ways ?? []} />
          <Checkbox
            label="Keep checking automatically"
            description="Checks every 12 seconds at first, then every minute, for 30 minutes while this page is visible."
            checked={isWatching}
            onChange={(event) => setWatching(event.currentTarget.checked)}
          />
          <WatchText watch={watch} />
        </>
      ) : null}
    </div>
  );
}

/** Shows the time of the next automatic check. It changes every second, so screen readers do not announce it. */
function WatchText({ watch }: { watch: PollingState }) {
  if (watch === "off") return null;
  return (
    <p className="small soft" aria-live="off">
      {watch === "looking" ? (
        "Checking…"
      ) : watch === "over" ? (
        "Automatic checking stopped after 30 minutes. Once the file is published, select Check again."
      ) : (
        <Countdown at={watch.at} />
      )}
    </p>
  );
}

function Countdown({ at }: { at: number }) {
  const [now, setNow] = useState(Date.now);
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true });
  return `Next check in ${Math.max(0, Math.ceil((at - now) / 1_000))} seconds.`;
}

type OwnerCallProps = ControlCheckProps & { ways: readonly AttestationWay[] };

/** Shows the contract call that would give a wallet control of a did:pkh, or nothing if no single call does. */
function OwnerCall({ did, account, ways }: OwnerCallProps) {
  const handOver = createOwnershipTransfer(did, account, ways);
  if (handOver === undefined) return null;
  const { owner, chainId, contract, call, data } = handOver;
  return (
    <section className="stack" aria-label="Contract call that makes your wallet the owner">
      <p>
        {owner === undefined ? "An administrator" : "The current owner"} of the contract can make your wallet
        its controller with one call on chain {chainId}. If the contract uses two-step ownership, your wallet
        must then call <code>acceptOwnership()</code>.
      </p>
      {owner === undefined ? null : <CopyBlock text={owner} caption="Current owner" />}
      <CopyBlock text={contract} caption="Contract" />
      <CopyBlock text={call} caption="Call" />
      <CopyBlock text={data} caption="Calldata" />
    </section>
  );
}
