"use client";

import { hashAlgorithmName } from "@app-registry/sdk";
import { Divider, NavLink } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { HashText } from "../../components/record/identifiers.tsx";
import { useWallet } from "../wallet/useRegistryClient.ts";
import { useDraftControl } from "./control/ControlContext.tsx";
import type { ControlState } from "./control/controlState.ts";
import type { StepId } from "./draft/draft.ts";
import { canonicalDid } from "./draft/problems.ts";
import { toPublication } from "./draft/publication.ts";
import { getSteps, screens } from "./draft/screens.ts";
import { useIsWide } from "./useIsWide.ts";
import { useWizard } from "./WizardContext.tsx";
import styles from "./wizard.module.css";

const SigningWords = lazy(() =>
  import("./review/TransactionSummary.tsx").then((module) => ({ default: module.TransactionSummary })),
);

// Load the parts of a service's page only for the review.
const PagePreview = lazy(() =>
  import("./review/PagePreview.tsx").then((module) => ({ default: module.PagePreview })),
);

interface ColumnsProps {
  goTo: (step: StepId) => void;
  children: ReactNode;
}

/**
 * Lays out the steps, the form and the record in three columns. On narrow pages, steps and record fold above and below
 * the form. The review shows the service's page over the whole width.
 */
export function WizardLayout({ goTo, children }: ColumnsProps) {
  const isReview = useWizard().draft.step === "review";
  const wide = useIsWide();
  // Keep the form at the same place in the tree. Otherwise resizing the window would reset it.
  return (
    <div className={styles.window}>
      <div className={wide ? styles.columns : `stack3 ${styles.folded}`}>
        {wide ? (
          <div className={styles.side}>
            <StepList onStep={goTo} />
          </div>
        ) : (
          <StepFold goTo={goTo} />
        )}
        <div className={styles.middle}>{children}</div>
        {wide ? (
          <div className={styles.side}>
            {isReview ? (
              <Suspense>
                <SigningWords />
              </Suspense>
            ) : (
              <RecordPanel />
            )}
          </div>
        ) : isReview ? null : (
          <details className="part">
            <summary>Preview of the record</summary>
            <RecordPanel />
          </details>
        )}
      </div>
      {isReview ? <Preview /> : null}
    </div>
  );
}

/** Shows the service's page once the draft has a DID and a version. */
function Preview() {
  const { draft, problems } = useWizard();
  const did = canonicalDid(draft.did);
  if (did === undefined || problems.some(({ field }) => field === "version")) return null;
  return (
    <Suspense fallback={<p role="status">Loading the preview…</p>}>
      <PagePreview did={did} version={draft.version} />
    </Suspense>
  );
}

function StepFold({ goTo }: Pick<ColumnsProps, "goTo">) {
  const { draft } = useWizard();
  const [open, setOpen] = useState(false);
  const steps = getSteps(draft.interfaces);
  const place = steps.indexOf(draft.step);
  return (
    <details className="part" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {place === -1
          ? screens[draft.step].title
          : `Step ${place + 1} of ${steps.length}: ${screens[draft.step].title}`}
      </summary>
      <StepList
        onStep={(step) => {
          setOpen(false);
          goTo(step);
        }}
      />
    </details>
  );
}

/** Lists the wizard's screens, each marked as done or with its number of problems. */
function StepList({ onStep }: { onStep: (step: StepId) => void }) {
  const { draft, problems, isBegun } = useWizard();
  const { isRead, unproven } = useIdentityChecks();
  const item = (id: StepId, number: string) => {
    const open = problems.filter(({ step }) => step === id).length;
    const isFilled = open === 0 && draft.visited.includes(id) && id !== "review";
    const done = isFilled && (id !== "identity" || (isRead && unproven === undefined));
    const missing =
      isFilled && id === "identity" ? (unproven ?? (isRead ? undefined : "not checked")) : undefined;
    const current = draft.step === id;
    return (
      <li key={id}>
        <NavLink
          component="button"
          type="button"
          active={current}
          {...(current && { "aria-current": "step" as const })}
          label={screens[id].title}
          description={open > 0 && isBegun ? `${open} to fix` : done ? "done" : missing}
          leftSection={
            <span aria-hidden="true" className={`quiet ${styles.number}`}>
              {done ? "✓" : number}
            </span>
          }
          onClick={() => onStep(id)}
        />
      </li>
    );
  };
  return (
    <nav aria-label="Steps">
      <ol>{getSteps(draft.interfaces).map((id, index) => item(id, String(index + 1)))}</ol>
      <Divider my="xs" />
      <ul>{item("json", "{}")}</ul>
    </nav>
  );
}

const unprovenWords: Record<Exclude<ControlState["kind"], "holds">, string> = {
  unread: "checking the chain…",
  unchecked: "control not checked",
  waits: "control not in effect yet",
  failed: "control not proven",
};

/**
 * Returns true in `isRead` if the DID's record was read, and the reason the connected wallet's control is not proven.
 */
export function useIdentityChecks(): { isRead: boolean; unproven: string | undefined } {
  const { draft, registered } = useWizard();
  const { isConnected } = useWallet();
  const { state } = useDraftControl();
  return {
    isRead: registered !== undefined && registered.did === canonicalDid(draft.did),
    unproven: !isConnected || state.kind === "holds" ? undefined : unprovenWords[state.kind],
  };
}

/** Shows the record to publish with its hash, updated with every keystroke. */
function RecordPanel() {
  const { draft, publicUrl } = useWizard();
  const { canonical, dataHash, size } = toPublication(draft, { publicUrl });
  // The hash of an empty document would stand beside a form that nobody has filled in.
  if (canonical === "{}") return null;
  // Not a live region: screen readers would announce it at every keystroke.
  return (
    <section className="stack" aria-label="Preview of the record">
      <h2 className="minor">The record</h2>
      <dl className="small">
        <dt className="quiet">dataHash, {hashAlgorithmName(draft.algorithm)}</dt>
        <dd>{dataHash ? <HashText hash={dataHash} label="dataHash" /> : "none"}</dd>
        <dt className="quiet">Size</dt>
        <dd>{size.toLocaleString("en")} bytes</dd>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className={styles.json} tabIndex={0}>
        {canonical === undefined
          ? "This draft can't be shown as JSON. Fix the problems listed below first."
          : JSON.stringify(JSON.parse(canonical), null, 2)}
      </pre>
    </section>
  );
}
