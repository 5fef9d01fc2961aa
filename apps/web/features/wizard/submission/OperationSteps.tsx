import {
  appStatusLabels,
  formatVersion,
  isJsonObject,
  type Operation,
  type OperationProblem,
  type Outcome,
  parseJsonStrict,
  type StageId,
  type StageState,
} from "@app-registry/sdk";
import type { ReactNode } from "react";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { HashText } from "../../../components/record/labels.tsx";
import { Problem, StatusMark } from "../../../components/record/Problem.tsx";

const states: Record<StageState, { word: string; outcome?: Outcome }> = {
  todo: { word: "Not started" },
  working: { word: "In progress" },
  waiting: { word: "Waiting", outcome: "unknown" },
  done: { word: "Done", outcome: "pass" },
  failed: { word: "Failed", outcome: "fail" },
};

function stageTitle(id: StageId, { plan, request }: Operation): string {
  const titles: Record<StageId, string> = {
    plan: "Compare with the current record",
    control: "Prove that you control the DID",
    simulate: "Simulate the transaction",
    sign:
      plan?.action === "update"
        ? `Sign version ${formatVersion(plan.parameters.version)}`
        : request === undefined
          ? "Sign the transaction"
          : "Sign the registration",
    receipt: "Wait for confirmation",
    status:
      request?.status === undefined
        ? "Set the status"
        : `Set the status to ${appStatusLabels[request.status]}`,
    content: "Get the content attested",
    index: "Wait for the search index",
  };
  return titles[id];
}

/** Lists the stages of an operation with their states, and its transaction. */
export function OperationSteps({ operation }: { operation: Operation }) {
  const { request, stages, transactionHash } = operation;
  return (
    <>
      <ol className="ruled" aria-label={request === undefined ? "Transaction" : "Publishing"}>
        {stages.map(({ id, state, note }) => {
          const { word, outcome } = states[state];
          return (
            <li
              key={id}
              className="marked"
              style={{
                gridTemplateColumns: "16px minmax(0, 1fr) max-content",
                ...(state === "todo" && { color: "var(--ink-3)" }),
              }}
              aria-current={state === "working" ? "step" : undefined}
            >
              {outcome ? <StatusMark outcome={outcome} /> : <Dot isFilled={state === "working"} />}
              <span className={state === "working" ? "strong" : undefined}>{stageTitle(id, operation)}</span>
              <span className="quiet">{word}</span>
              {note === undefined ? null : (
                <span className="small soft anywhere" style={{ gridColumn: "2 / -1" }} aria-live="polite">
                  {note}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {transactionHash === undefined ? null : (
        <p>
          Transaction <HashText hash={transactionHash} label="transaction hash" />
        </p>
      )}
    </>
  );
}

function Dot({ isFilled }: { isFilled: boolean }) {
  const color = isFilled ? "var(--accent)" : "var(--rule-strong)";
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="none"
      stroke={color}
      strokeWidth={1.5}
      aria-hidden="true"
    >
      <circle cx={8} cy={8} r={6.25} />
      {isFilled ? <circle cx={8} cy={8} r={2.25} fill={color} /> : null}
    </svg>
  );
}

/** Shows the did.json to publish, or the DNS record with the same effect. */
function ToPublish({ url, text, txt }: NonNullable<OperationProblem["publish"]>) {
  return (
    <>
      <p>
        {hasOtherEntries(text)
          ? "This is the file your host serves now, plus an entry for your wallet. Nothing else changes. Serve it as application/json."
          : "This is the complete file. Your host has no existing entries to keep. Serve it as application/json."}
      </p>
      <CopyBlock text={text} caption={`Publish this file at ${url}`} />
      {txt === undefined ? null : (
        <CopyBlock text={txt.record} caption={`Or add this DNS TXT record at ${txt.name}`} />
      )}
    </>
  );
}

/** Returns true if a document to publish contains more than the wallet's entry. */
function hasOtherEntries(text: string): boolean {
  const document = parseJsonStrict(text);
  if (!isJsonObject(document)) return false;
  const { verificationMethod: methods, "@context": _, id, ...others } = document;
  return Object.keys(others).length > 0 || (Array.isArray(methods) && methods.length > 1);
}

type OperationProblemViewProps = { problem: OperationProblem; children?: ReactNode };

/** Shows why an operation stopped and what to do, with the DID document to publish if it is missing. */
export function OperationProblemView({ problem, children }: OperationProblemViewProps) {
  const { title, message, action, details, publish } = problem;
  return (
    <div role="alert" className="stack">
      <Problem
        level={3}
        title={title ?? message}
        why={title === undefined ? undefined : message}
        detail={details.length === 0 ? undefined : details.join("\n")}
        action={
          <>
            {action === undefined ? null : <p>{action}</p>}
            {children}
          </>
        }
      />
      {publish === undefined ? null : <ToPublish {...publish} />}
    </div>
  );
}
