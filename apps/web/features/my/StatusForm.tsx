"use client";

import {
  type AppStatus,
  type AppSummary,
  appStatusLabels,
  canonicalizeValue,
  createPublication,
  InvalidDidError,
  MAX_NOTES_LENGTH,
  normalizeDid,
  type Operation,
  planReplacement,
  toAppRegistryError,
} from "@app-registry/sdk";
import { SELF_SUCCESSOR_MESSAGE, SUCCESSOR_MESSAGE } from "@app-registry/sdk/internal";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Address } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";
import { useRegistryClient, useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { QuietButton } from "../wallet/WalletBar.tsx";
import { createIndexedChange } from "./change.ts";

interface StatusFormProps {
  summary: AppSummary;
  account: Address;
  status: AppStatus;
  /** False if the account may only set the status, which names neither a reason nor a successor. */
  canPublish: boolean;
  onSend: (operation: Operation) => void;
}

/**
 * Requests why a service is deprecated or replaced and by which one, and publishes a version that states both before the
 * status is set.
 */
export function StatusForm({ summary, account, status, canPublish, onSend }: StatusFormProps) {
  const client = useRegistryClient();
  const { publicUrl } = useRegistryConnection();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const { did, versionMajor: major, latestVersion } = summary;
  const deprecation = reason.trim() || undefined;
  const named = typed.trim() || undefined;
  const problem = named === undefined ? undefined : successorProblem(named, did);
  const plan = useMutation({
    mutationFn: async () => {
      const document = canonicalizeValue(await readRecordedDocument(did, latestVersion));
      const successor = named === undefined ? undefined : normalizeDid(named);
      const parameters = { client, did, major, successor, deprecation, status, document, baseUrl: publicUrl };
      return createPublication(await planReplacement(parameters), account);
    },
    onSuccess: onSend,
  });
  const setOnly = () => {
    const call = client.prepareUpdateStatus({ did, major, status });
    onSend(createIndexedChange({ did, call, account }));
  };
  const error = plan.isError ? toAppRegistryError(plan.error) : undefined;
  const title = status === 2 ? "Mark as replaced" : "Deprecate";
  return (
    <form
      className="stack2 prose"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate();
      }}
    >
      <p>
        The record stays and is shown as {appStatusLabels[status]}. Search leaves it out unless someone asks
        for that status. You can reactivate it.{" "}
        {canPublish
          ? "A reason or a successor takes two transactions: one publishes a version that contains them, the other sets the status."
          : "Only the record's minter or holder can publish a reason or a successor."}
      </p>
      {canPublish ? (
        <>
          <Textarea
            label="Deprecation reason"
            description="Say why, and what to use instead. Shown next to the version. Optional."
            autosize
            minRows={2}
            maxRows={8}
            maxLength={MAX_NOTES_LENGTH}
            value={reason}
            autoFocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <TextInput
            label="Successor DID"
            description={`The service that replaces this one. ${SUCCESSOR_MESSAGE}`}
            placeholder="did:web:next.example.com"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            error={problem}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </>
      ) : null}
      {error === undefined ? null : (
        <div role="alert">
          <Problem level={3} title={error.shortMessage} action={error.action} />
        </div>
      )}
      <div className="bar">
        {canPublish ? (
          <Button
            type="submit"
            loading={plan.isPending}
            disabled={
              problem !== undefined || (named === undefined && (status === 2 || deprecation === undefined))
            }
          >
            Publish and {title.toLowerCase()}
          </Button>
        ) : null}
        <QuietButton autoFocus={!canPublish} onClick={setOnly}>
          {title}, {status === 2 ? "no successor" : "no reason"}
        </QuietButton>
      </div>
    </form>
  );
}

function successorProblem(text: string, own: string): string | undefined {
  try {
    return normalizeDid(text) === own ? SELF_SUCCESSOR_MESSAGE : undefined;
  } catch (error) {
    if (error instanceof InvalidDidError) return error.reason;
    throw error;
  }
}
