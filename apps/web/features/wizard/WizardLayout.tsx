import { hashAlgorithmName } from "@app-registry/sdk";
import { Divider, NavLink } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { HashText } from "../../components/record/labels.tsx";
import type { StepId } from "./draft/draft.ts";
import { getSteps, screens } from "./draft/screens.ts";
import { useIsWide, useUnproven, useWizard } from "./WizardContext.tsx";
import styles from "./wizard.module.css";

const TransactionSummary = lazy(() =>
  import("./review/Review.tsx").then((module) => ({ default: module.TransactionSummary })),
);

// Load the parts of a service's page only for the review.
const PagePreview = lazy(() =>
  import("./review/PagePreview.tsx").then((module) => ({ default: module.PagePreview })),
);

/**
 * Lays out the steps, the form and the record in three columns. On narrow pages, steps and record fold above and below
 * the form. The review shows the service's page over the whole width.
 */
export function WizardLayout({ children }: { children: ReactNode }) {
  const { did, draft, problems } = useWizard();
  const isReview = draft.step === "review";
  const wide = useIsWide();
  // Keep the form at the same place in the tree. Otherwise resizing the window would reset it. The content fills the
  // window, so that late content does not move the buttons below.
  return (
    <div style={{ minHeight: "100dvh", paddingBottom: 24 }}>
      <div className={wide ? styles.columns : "stack3"}>
        {wide ? (
          <div>
            <StepList />
          </div>
        ) : (
          <StepFold />
        )}
        <div>{children}</div>
        {wide ? (
          <div>
            {isReview ? (
              <Suspense>
                <TransactionSummary />
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
      {isReview && did !== undefined && problems.every(({ field }) => field !== "version") ? (
        <Suspense fallback={<p role="status">Loading the preview…</p>}>
          <PagePreview did={did} />
        </Suspense>
      ) : null}
    </div>
  );
}

function StepFold() {
  const { draft } = useWizard();
  const steps = getSteps(draft.interfaces);
  const place = steps.indexOf(draft.step);
  const { title } = screens[draft.step];
  // The key closes the fold when another screen is shown.
  return (
    <details key={draft.step} className="part">
      <summary>{place === -1 ? title : `Step ${place + 1} of ${steps.length}: ${title}`}</summary>
      <StepList />
    </details>
  );
}

/** Lists the wizard's screens, each marked as done or with its number of problems. */
function StepList() {
  const { draft, problems, isBegun, registered, goTo } = useWizard();
  const unchecked = useUnproven() ?? (registered === undefined ? "not checked" : undefined);
  const item = (id: StepId, number: string) => {
    const open = problems.filter(({ step }) => step === id).length;
    const isFilled = open === 0 && draft.visited.includes(id) && id !== "review";
    const missing = isFilled && id === "identity" ? unchecked : undefined;
    const done = isFilled && missing === undefined;
    const current = draft.step === id;
    return (
      <li key={id}>
        <NavLink
          component="button"
          type="button"
          active={current}
          {...(current && { "aria-current": "step" as const })}
          label={
            <>
              {screens[id].title}
              {done ? <span className="visuallyHidden">, done</span> : null}
            </>
          }
          description={open > 0 && isBegun ? `${open} to fix` : missing}
          leftSection={
            <span
              aria-hidden="true"
              className={done ? "strong" : "quiet"}
              style={{ width: 16, textAlign: "center", ...(done && { color: "var(--pass)" }) }}
            >
              {done ? "✓" : number}
            </span>
          }
          onClick={() => goTo(id)}
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

/** Shows the record to publish with its hash, updated with every keystroke. */
function RecordPanel() {
  const { draft, publication } = useWizard();
  const { canonical, dataHash, size } = publication;
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
      <pre className="box" style={{ maxHeight: "max(240px, 100dvh - 470px)", fontSize: 12 }} tabIndex={0}>
        {canonical === undefined
          ? "This draft can't be shown as JSON. Fix the problems listed below first."
          : JSON.stringify(JSON.parse(canonical), null, 2)}
      </pre>
    </section>
  );
}
