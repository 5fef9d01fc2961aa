import type { Discovery, FindingKind } from "@app-registry/outbound/fill";
import { toAppRegistryError } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef } from "react";
import { z } from "zod/mini";
import { Problem } from "../../../components/record/Problem.tsx";
import { getChosenFinding } from "../draft/draft.ts";
import { Group } from "../fields/Fields.tsx";
import { useWizard } from "../WizardContext.tsx";
import { Findings, FOUND_ID } from "./Findings.tsx";
import { addressTexts, type EnteredAddress, takeEnteredAddress } from "./FirstScreen.tsx";

/** Time limit in milliseconds, long because the registry itself waits for the service. */
const TIMEOUT = 60_000;

/** Renders the input for the service's address, from which the form is filled in. */
export function SourceBox({ kind }: { kind: FindingKind | undefined }) {
  const { draft, dispatch, readOnly, follows } = useWizard();
  const source = draft.source.trim();
  const registry = { baseUrl: location.origin, timeoutMs: TIMEOUT };
  const box = useRef<HTMLInputElement>(null);
  const reading = useMutation({
    mutationFn: (inquiry: { input: string; variables?: Record<string, string> }) =>
      requestJson(registry, "/api/import", z.custom<Discovery>(), { ...inquiry, kind }),
    onSuccess: (discovery) => {
      const [first] = discovery.findings;
      const isAgain = discovery.input === draft.discovery?.input;
      const same = isAgain ? getChosenFinding({ ...draft, discovery }) : undefined;
      const finding = same ?? (discovery.needsChoice ? undefined : first);
      dispatch({ type: "discovered", discovery, finding });
      // The results may be below the fold or under the bottom bar of a phone.
      requestAnimationFrame(() => document.getElementById(FOUND_ID)?.scrollIntoView({ block: "nearest" }));
    },
  });
  const entered = useRef<EnteredAddress>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the field appears
  useLayoutEffect(() => {
    entered.current = takeEnteredAddress();
    const { text = "", isSubmitted = false } = entered.current ?? {};
    if (text.trim() === "") return;
    dispatch({ type: "field", field: "source", value: text });
    if (isSubmitted) reading.mutate({ input: text.trim() });
  }, []);
  useEffect(() => {
    const isEmpty = box.current?.value === "";
    // Focus the empty input so that the user can paste, but never steal the focus from another element.
    if ((isEmpty || entered.current?.selection) && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const { text, selection } = entered.current ?? {};
    if (!selection || draft.source !== text) return;
    entered.current = undefined;
    box.current?.setSelectionRange(...selection);
  }, [draft.source]);
  return (
    <Group
      title={follows ? "Update from your service" : addressTexts.title}
      help={
        follows
          ? "The registry reads the service again and fills in what changed. Text that you wrote yourself is kept."
          : addressTexts.help
      }
    >
      <form
        className="bar"
        style={{ alignItems: "end" }}
        onSubmit={(event) => {
          event.preventDefault();
          if (source !== "" && !reading.isPending && !readOnly) reading.mutate({ input: source });
        }}
      >
        <TextInput
          ref={box}
          label={addressTexts.label}
          placeholder={addressTexts.placeholder}
          value={draft.source}
          disabled={readOnly}
          readOnly={reading.isPending}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          className="grow"
          classNames={{ input: "mono small" }}
          onChange={({ currentTarget: { value } }) => dispatch({ type: "field", field: "source", value })}
        />
        <Button type="submit" loading={reading.isPending} disabled={source === "" || readOnly}>
          Find service
        </Button>
      </form>
      <p aria-live="polite" className="soft small">
        {reading.isPending ? `Checking ${reading.variables.input} and well-known locations…` : null}
        {reading.data?.findings.length ? `Found: ${reading.data.findings.length}.` : null}
      </p>
      {reading.isError ? (
        <Problem
          level={3}
          title="Couldn't check this address"
          why={toAppRegistryError(reading.error).shortMessage}
          action="You can also choose a type of service below and fill in the form yourself."
        />
      ) : draft.discovery && !reading.isPending ? (
        <Findings
          discovery={draft.discovery}
          onFill={(variables) => reading.mutate({ input: draft.discovery?.input ?? source, variables })}
        />
      ) : null}
    </Group>
  );
}
