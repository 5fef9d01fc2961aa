"use client";

import { createPublication, isSent, type Operation, visibleText } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import {
  type Dispatch,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import type { Address } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { useOperation } from "../wallet/useOperation.ts";
import { useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { ChainNotice, QuietButton, WalletBar } from "../wallet/WalletBar.tsx";
import { ControlProvider } from "./control/ControlContext.tsx";
import { useDataUrlCheck } from "./dataUrl.tsx";
import {
  type Draft,
  type DraftKey,
  deleteDraft,
  emptyDraft,
  hasInput,
  isBegun,
  loadDraft,
  parseDraft,
  publicationKey,
  type StepId,
  saveDraft,
  storageKey,
} from "./draft/draft.ts";
import { draftProblems } from "./draft/problems.ts";
import { toPublicationRequest } from "./draft/publication.ts";
import { type DraftAction, draftReducer } from "./draft/reducer.ts";
import { getStepOfField } from "./draft/screens.ts";
import { DraftFileButtons } from "./navigation/DraftFileButtons.tsx";
import { shouldContinueOnEnter, toEnterTarget } from "./navigation/shouldContinueOnEnter.ts";
import { getAdjacentSteps, parseStepHash } from "./navigation/stepUrl.ts";
import { useStepHistory } from "./navigation/useStepHistory.ts";
import { ProblemsBar } from "./ProblemsBar.tsx";
import { VersionDefault } from "./steps/NextStep.tsx";
import { Screen } from "./steps/Screen.tsx";
import { Published } from "./submission/Published.tsx";
import {
  type FollowedVersion,
  fieldId,
  useRegistered,
  WizardProvider,
  type WizardState,
} from "./WizardContext.tsx";
import { WizardLayout } from "./WizardLayout.tsx";
import styles from "./wizard.module.css";

const Publishing = lazy(() =>
  import("./submission/Publishing.tsx").then((module) => ({ default: module.Publishing })),
);

interface WizardProps {
  draftKey: DraftKey;
  /** Initial draft if the browser has not saved one. */
  prepared?: Draft | undefined;
  /** Published version that the draft follows, if any. */
  follows?: FollowedVersion | undefined;
}

/** Shows the registration wizard: a draft, its problems, the record to publish, and its publication. */
export function Wizard({ draftKey, prepared, follows }: WizardProps) {
  const { publicUrl } = useRegistryConnection();
  const publication = useOperation(publicationKey(draftKey));
  const isFree = publication.operation === undefined;
  const { draft, dispatch, isKept, startOver, letGo } = useDraft(draftKey, prepared, isFree);
  const [published, setPublished] = useState<Operation | undefined>();
  const registered = useRegistered(draft).data;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isPublishing, setPublishing] = useState(publication.operation !== undefined);
  // Register opens an empty form, but never at the cost of a draft. A reload or a step's link continues the draft.
  const [isAsked, setAsked] = useState(
    () =>
      draftKey.did === undefined &&
      location.hash === "" &&
      !publication.operation &&
      draft !== prepared &&
      hasInput(draft),
  );
  const showField = useProblemFocus(draft, dispatch);
  const dataUrlAnswer = useDataUrlCheck(draft, { publicUrl, registered }).data;
  const problems = useMemo(
    () => draftProblems(draft, { registered, publicUrl, dataUrlAnswer }),
    [draft, registered, publicUrl, dataUrlAnswer],
  );
  const touch = useCallback((field: string) => setTouched((fields) => new Set(fields).add(field)), []);

  const state: WizardState = {
    draft,
    dispatch,
    problems,
    isBegun: draft !== prepared && isBegun(draft),
    registered,
    follows,
    publicUrl,
    touched,
    touch,
    showField: (field) => {
      setPublishing(false);
      showField(field);
    },
    readOnly: publication.operation !== undefined && isSent(publication.operation),
  };
  const goTo = (step: StepId) => {
    // Reload instead: the draft was cleared, so an older history entry must show an empty form.
    if (published) return location.reload();
    setPublishing(false);
    dispatch({ type: "step", step });
  };
  useStepHistory(draft, goTo);
  const shown = useRef<string>(isAsked ? "unfinished" : isPublishing ? "publishing" : draft.step);
  const continueOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const { next } = getAdjacentSteps(draft);
    if (next === undefined || !shouldContinueOnEnter(toEnterTarget(event.target))) return;
    event.preventDefault();
    goTo(next);
  };
  const publish = (account: Address) => {
    setPublishing(true);
    publication.start(createPublication(toPublicationRequest(draft, { publicUrl, registered }), account));
  };
  const clear = () => {
    publication.discard();
    startOver();
    setTouched(new Set());
    setPublishing(false);
    setAsked(false);
  };

  const { operation, isDone } = publication;
  useEffect(() => {
    if (!isDone || !operation) return;
    letGo();
    publication.forget();
    setPublished(operation);
  }, [isDone, operation, letGo, publication.forget]);

  if (published)
    return (
      <>
        <Published operation={published} />
        <FocusScreenTitle screen="published" shown={shown} />
      </>
    );
  if (isAsked) {
    return <UnfinishedDraft draft={draft} onContinue={() => setAsked(false)} onDiscard={clear} />;
  }
  return (
    <WizardProvider value={state}>
      <ControlProvider>
        <VersionDefault />
        <div className={`headed ${styles.top}`}>
          <WalletBar hint="You only need a wallet to publish." />
          {isKept ? null : (
            <p style={{ color: "var(--unknown)" }}>
              This browser isn't saving your draft. If you reload the page, you'll lose it. Export the draft
              to keep a copy.
            </p>
          )}
          <DraftFileButtons {...{ draft, dispatch, readOnly: state.readOnly }}>
            <StartOver onConfirm={clear} />
          </DraftFileButtons>
        </div>
        <ChainNotice />
        <WizardLayout goTo={goTo}>
          {isPublishing && operation ? (
            <Suspense fallback={<p role="status">Loading publishing progress…</p>}>
              <Publishing state={publication} operation={operation} onEdit={() => setPublishing(false)} />
              <FocusScreenTitle screen="publishing" shown={shown} />
            </Suspense>
          ) : (
            // biome-ignore lint/a11y/noStaticElementInteractions: Enter in its fields does what Continue does
            <div onKeyDown={continueOnEnter}>
              <Screen />
              <FocusScreenTitle screen={draft.step} shown={shown} />
            </div>
          )}
        </WizardLayout>
        {isPublishing ? null : (
          <ProblemsBar onStep={goTo} onPublish={publish} onResume={() => setPublishing(true)} />
        )}
      </ControlProvider>
    </WizardProvider>
  );
}

type UnfinishedDraftProps = { draft: Draft; onContinue: () => void; onDiscard: () => void };

/** Asks what to do with the saved draft of a new service. */
function UnfinishedDraft({ draft, onContinue, onDiscard }: UnfinishedDraftProps) {
  const { metadata, did, source } = draft;
  const of = [metadata.name, did, source].find((text) => typeof text === "string" && text.trim() !== "");
  return (
    <Problem
      tone="neutral"
      title="You have an unfinished draft"
      why={
        <p className="anywhere">
          This browser has saved {typeof of === "string" ? <q>{visibleText(of)}</q> : "what you entered"}.
        </p>
      }
      action={
        <div className="bar">
          <Button onClick={onContinue}>Continue draft</Button>
          <Button variant="default" onClick={onDiscard}>
            Discard draft
          </Button>
        </div>
      }
    />
  );
}

/** Clears the form after a confirmation. */
function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return <QuietButton onClick={() => setAsking(true)}>Start over</QuietButton>;
  }
  return (
    <span className="bar">
      Discard this draft and clear the form?
      <QuietButton onClick={() => setAsking(false)}>Keep draft</QuietButton>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        Discard draft
      </Button>
    </span>
  );
}

function restore(key: DraftKey, prepared: Draft | undefined): Draft {
  const saved = loadDraft(localStorage, key);
  const kept = saved && hasInput(saved) ? saved : (prepared ?? emptyDraft());
  // Close the JSON editors that were open when the page was left and whose text is valid.
  const draft = Object.keys(kept.texts).reduce(
    (rest, pointer) => draftReducer(rest, { type: "closeText", pointer }),
    kept,
  );
  const step = parseStepHash(location.hash, draft) ?? draft.step;
  return step === draft.step ? draft : draftReducer(draft, { type: "step", step });
}

/**
 * Manages a draft that the browser saves with every change, and that follows the changes of other tabs while it `isFree`
 * of a publication. `prepared` is the initial value of a new draft.
 */
function useDraft(key: DraftKey, prepared: Draft | undefined, isFree: boolean) {
  const [draft, dispatch] = useReducer(draftReducer, undefined, () => restore(key, prepared));
  const [isKept, setKept] = useState(true);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (isOver) deleteDraft(localStorage, key);
    else setKept(saveDraft(localStorage, key, draft));
  }, [key, draft, isOver]);
  useEffect(() => {
    if (!isFree || isOver) return;
    const follow = ({ key: changed, newValue }: StorageEvent) => {
      if (changed !== storageKey("draft", key)) return;
      // Another tab published or discarded the draft, so begin again from what is registered now.
      if (newValue === null) return location.reload();
      const draft = parseDraft(newValue);
      if (draft) dispatch({ type: "sync", draft });
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, [key, isFree, isOver]);
  const startOver = useCallback(() => {
    deleteDraft(localStorage, key);
    dispatch({ type: "load", draft: prepared ?? emptyDraft() });
  }, [key, prepared]);
  /** Deletes the saved draft for good. The page keeps showing it. */
  const letGo = useCallback(() => setOver(true), []);
  return { draft, dispatch, isKept, startOver, letGo };
}

/** Returns the element of a field, or of the nearest enclosing part that has one. */
function findField(field: string): HTMLElement | null {
  for (let name = field; ; name = name.slice(0, name.lastIndexOf("/"))) {
    const element = document.getElementById(fieldId(name));
    if (element || !name.includes("/")) return element;
  }
}

function focusField(element: HTMLElement): void {
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
  const input = element.matches("input, select, textarea")
    ? element
    : element.querySelector("input, select, textarea");
  const target = input instanceof HTMLElement ? input : element;
  target.scrollIntoView({ block: "center" });
  target.focus({ preventScroll: true });
}

/** Scrolls to the top and focuses the title when another screen than before is shown. Rendered beside each screen. */
function FocusScreenTitle({ screen, shown }: { screen: string; shown: RefObject<string> }) {
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    scrollTo(0, 0);
    document.getElementById("step-title")?.focus({ preventScroll: true });
  }, [screen, shown]);
  return null;
}

/** Returns a function that opens a field's screen, unfolds the sections around the field and focuses it. */
function useProblemFocus(draft: Draft, dispatch: Dispatch<DraftAction>) {
  const [wanted, setWanted] = useState<{ field: string } | undefined>();
  const showField = useCallback(
    (field: string) => {
      dispatch({ type: "step", step: getStepOfField(field, draft) });
      setWanted({ field });
    },
    [dispatch, draft],
  );
  useEffect(() => {
    if (!wanted) return;
    let isFound = false;
    const look = (isLate: boolean) => () => {
      if (isLate && isFound) return;
      const element = findField(wanted.field);
      if (!element) return;
      isFound = true;
      focusField(element);
    };
    // Retry several times: a fold renders its content only after it opens, and a screen may still be loading.
    const frames = [0, 60, 160, 400, 1_000, 2_500].map((delay) => setTimeout(look(delay > 160), delay));
    return () => frames.forEach(clearTimeout);
  }, [wanted]);
  return showField;
}
