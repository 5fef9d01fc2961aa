"use client";

import { isSent, startPublication } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useState } from "react";
import type { Address } from "viem";
import { useOperation } from "../wallet/useOperation.ts";
import { useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { ChainNotice, QuietButton, WalletBar } from "../wallet/WalletBar.tsx";
import { Columns } from "./Columns.tsx";
import { useDataUrlCheck } from "./dataUrl.tsx";
import {
  type Draft,
  type DraftKey,
  emptyDraft,
  forgetDraft,
  loadDraft,
  publicationKey,
  type StepId,
  saveDraft,
} from "./draft/draft.ts";
import { draftProblems } from "./draft/problems.ts";
import { requestOf } from "./draft/publication.ts";
import { type DraftAction, draftReducer } from "./draft/reducer.ts";
import { stepOfField } from "./draft/screens.ts";
import { ProblemsBar } from "./ProblemsBar.tsx";
import { Screen } from "./steps/Screen.tsx";
import { Publishing } from "./submission/Publishing.tsx";
import {
  fieldId,
  type PublishedVersion,
  useRegistered,
  WizardProvider,
  type WizardState,
} from "./WizardContext.tsx";
import styles from "./wizard.module.css";

interface WizardProps {
  draftKey: DraftKey;
  /** Where a draft begins when the browser keeps none. */
  prepared?: Draft | undefined;
  /** The version that the draft follows, if it does. */
  published?: PublishedVersion | undefined;
}

/** The registration wizard: a draft, its problems, the record that it becomes, and its publication. */
export function Wizard({ draftKey, prepared, published }: WizardProps) {
  const { publicUrl } = useRegistryConnection();
  const { draft, dispatch, isKept, startOver } = useDraft(draftKey, prepared);
  const publication = useOperation(publicationKey(draftKey));
  const registered = useRegistered(draft).data;
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isPublishing, setPublishing] = useState(publication.operation !== undefined);
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
    registered,
    published,
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
    setPublishing(false);
    dispatch({ type: "step", step });
    requestAnimationFrame(() => document.getElementById("step-title")?.focus());
  };
  const publish = (account: Address) => {
    setPublishing(true);
    publication.start(startPublication(requestOf(draft, { publicUrl, registered }), account));
  };
  const clear = () => {
    publication.discard();
    startOver();
    setTouched(new Set());
    setPublishing(false);
  };

  return (
    <WizardProvider value={state}>
      <div className={`headed ${styles.top}`}>
        <WalletBar hint="You can fill in the form without one." />
        {isKept ? null : (
          <p style={{ color: "var(--unknown)" }}>
            This browser keeps nothing, so a reload would lose what you type.
          </p>
        )}
        <StartOver onConfirm={clear} />
      </div>
      <ChainNotice />
      <Columns goTo={goTo}>
        {isPublishing && publication.operation ? (
          <Publishing
            state={publication}
            operation={publication.operation}
            draftKey={draftKey}
            onEdit={() => setPublishing(false)}
          />
        ) : (
          <Screen />
        )}
      </Columns>
      {isPublishing ? null : <ProblemsBar onStep={goTo} onPublish={publish} />}
    </WizardProvider>
  );
}

/** Empties the form, after asking once more. */
function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return <QuietButton onClick={() => setAsking(true)}>Start over</QuietButton>;
  }
  return (
    <span className="bar">
      This empties the form.
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        Empty it
      </Button>
      <QuietButton onClick={() => setAsking(false)}>Keep it</QuietButton>
    </span>
  );
}

function restore(key: DraftKey, prepared: Draft | undefined): Draft {
  const draft = loadDraft(localStorage, key) ?? prepared ?? emptyDraft();
  // Texts that were open when the page went away and are fine need no editor of their own any more.
  return Object.keys(draft.texts).reduce(
    (rest, pointer) => draftReducer(rest, { type: "closeText", pointer }),
    draft,
  );
}

/** A draft that is kept in the browser with every change. `prepared` is where a new one begins. */
function useDraft(key: DraftKey, prepared: Draft | undefined) {
  const [draft, dispatch] = useReducer(draftReducer, undefined, () => restore(key, prepared));
  const [isKept, setKept] = useState(true);
  useEffect(() => setKept(saveDraft(localStorage, key, draft)), [key, draft]);
  const startOver = useCallback(() => {
    forgetDraft(localStorage, key);
    dispatch({ type: "load", draft: prepared ?? emptyDraft() });
  }, [key, prepared]);
  return { draft, dispatch, isKept, startOver };
}

/** The element of a field, or of the nearest part around it that has one. */
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

/** Leads to a field: shows its screen, opens what it is folded in, and puts the cursor into it. */
function useProblemFocus(draft: Draft, dispatch: Dispatch<DraftAction>) {
  const [wanted, setWanted] = useState<{ field: string } | undefined>();
  const showField = useCallback(
    (field: string) => {
      dispatch({ type: "step", step: stepOfField(field, draft) });
      setWanted({ field });
    },
    [dispatch, draft],
  );
  useEffect(() => {
    if (!wanted) return;
    // A fold's content is drawn only after it opened, so the field is looked for once more.
    const frames = [0, 60, 160].map((delay) =>
      setTimeout(() => {
        const element = findField(wanted.field);
        if (element) focusField(element);
      }, delay),
    );
    return () => frames.forEach(clearTimeout);
  }, [wanted]);
  return showField;
}
