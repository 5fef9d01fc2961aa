import { createPublication, isSent, type Operation, visibleText } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import {
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Address } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { useOperation } from "../wallet/useOperation.ts";
import { useRegistryConnection, useWallet } from "../wallet/useRegistryClient.ts";
import { ChainNotice, QuietButton, WalletBar } from "../wallet/WalletBar.tsx";
import { useControl } from "./control/useControl.ts";
import { type Draft, type DraftKey, hasInput, isBegun, type StepId, storageKey } from "./draft/draft.ts";
import { canonicalDid, draftProblems } from "./draft/problems.ts";
import { toPublication, toPublicationRequest } from "./draft/publication.ts";
import { useDraft } from "./draft/useDraft.ts";
import { DraftFileButtons } from "./navigation/DraftFileButtons.tsx";
import {
  getAdjacentSteps,
  shouldContinueOnEnter,
  useProblemFocus,
  useStepHistory,
} from "./navigation/navigation.ts";
import { ProblemsBar } from "./ProblemsBar.tsx";
import { VersionDefault } from "./steps/NextStep.tsx";
import { Screen } from "./steps/Screen.tsx";
import {
  type FollowedVersion,
  useDataUrlCheck,
  useRegistered,
  WizardProvider,
  type WizardState,
} from "./WizardContext.tsx";
import { WizardLayout } from "./WizardLayout.tsx";

const Publishing = lazy(() =>
  import("./submission/Publishing.tsx").then((module) => ({ default: module.Publishing })),
);
const Published = lazy(() =>
  import("./submission/Published.tsx").then((module) => ({ default: module.Published })),
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
  const { address } = useWallet();
  const publishing = useOperation(storageKey("publication", draftKey));
  const { operation, isDone } = publishing;
  const { draft, dispatch, isKept, startOver, letGo } = useDraft(draftKey, prepared, operation === undefined);
  const [published, setPublished] = useState<Operation | undefined>();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [isPublishing, setPublishing] = useState(operation !== undefined);
  // Register opens an empty form, but never at the cost of a draft. A reload or a step's link continues the draft.
  const [isAsked, setAsked] = useState(
    () =>
      draftKey.did === undefined &&
      location.hash === "" &&
      !operation &&
      draft !== prepared &&
      hasInput(draft),
  );
  const did = canonicalDid(draft.did);
  const control = useControl(did, address);
  const registered = useRegistered(draft).data;
  const publication = useMemo(
    () => toPublication(draft, { publicUrl, registered }),
    [draft, publicUrl, registered],
  );
  const dataUrlCheck = useDataUrlCheck(publication, draft.step === "review");
  const dataUrlAnswer = dataUrlCheck.data;
  const problems = useMemo(
    () => draftProblems(draft, { registered, publicUrl, dataUrlAnswer }),
    [draft, registered, publicUrl, dataUrlAnswer],
  );
  const showField = useProblemFocus(draft, dispatch);
  const readOnly = operation !== undefined && isSent(operation);
  const goTo = (step: StepId) => {
    // Reload instead: the draft was cleared, so an older history entry must show an empty form.
    if (published) return location.reload();
    setPublishing(false);
    dispatch({ type: "step", step });
  };
  const state: WizardState = {
    ...{ draft, dispatch, did, registered, follows, control, publication, dataUrlCheck, problems, touched },
    ...{ readOnly, goTo },
    isBegun: draft !== prepared && isBegun(draft),
    touch: useCallback((field: string) => setTouched((fields) => new Set(fields).add(field)), []),
    showField: (field) => {
      setPublishing(false);
      showField(field);
    },
  };
  useStepHistory(draft, goTo);
  const shown = useRef<string>(isAsked ? "unfinished" : isPublishing ? "publishing" : draft.step);
  const continueOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    const { next } = getAdjacentSteps(draft);
    if (next === undefined || !shouldContinueOnEnter(event.target as HTMLInputElement)) return;
    event.preventDefault();
    goTo(next);
  };
  const publish = (account: Address) => {
    setPublishing(true);
    publishing.start(createPublication(toPublicationRequest(draft, { publicUrl, registered }), account));
  };
  const clear = () => {
    publishing.discard();
    startOver();
    setTouched(new Set());
    setPublishing(false);
    setAsked(false);
  };

  useEffect(() => {
    if (!isDone || !operation) return;
    letGo();
    publishing.forget();
    setPublished(operation);
  }, [isDone, operation, letGo, publishing.forget]);

  if (published)
    return (
      <Suspense fallback={<p role="status">Loading publishing progress…</p>}>
        <Published operation={published} />
        <FocusScreenTitle screen="published" shown={shown} />
      </Suspense>
    );
  if (isAsked) {
    return <UnfinishedDraft draft={draft} onContinue={() => setAsked(false)} onDiscard={clear} />;
  }
  return (
    <WizardProvider value={state}>
      <VersionDefault />
      <div className="bar apart headed small" style={{ paddingTop: 8 }}>
        <WalletBar hint="You only need a wallet to publish." />
        {isKept ? null : (
          <p style={{ color: "var(--unknown)" }}>
            This browser isn't saving your draft. If you reload the page, you'll lose it. Export the draft to
            keep a copy.
          </p>
        )}
        <DraftFileButtons>
          <StartOver onConfirm={clear} />
        </DraftFileButtons>
      </div>
      <ChainNotice />
      <WizardLayout>
        {isPublishing && operation ? (
          <Suspense fallback={<p role="status">Loading publishing progress…</p>}>
            <Publishing state={publishing} operation={operation} onEdit={() => setPublishing(false)} />
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
      {isPublishing ? null : <ProblemsBar onPublish={publish} onResume={() => setPublishing(true)} />}
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
