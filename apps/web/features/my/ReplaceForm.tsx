"use client";

import {
  type AppSummary,
  canonicalizeValue,
  createPublication,
  InvalidDidError,
  normalizeDid,
  type Operation,
  planReplacement,
  toAppRegistryError,
} from "@app-registry/sdk";
import { SELF_SUCCESSOR_MESSAGE, SUCCESSOR_MESSAGE } from "@app-registry/sdk/internal";
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Address } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";
import { useRegistryClient, useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { QuietButton } from "../wallet/WalletBar.tsx";
import { createIndexedChange } from "./change.ts";

interface ReplaceFormProps {
  summary: AppSummary;
  account: Address;
  onSend: (operation: Operation) => void;
}

/** Requests the successor of a service, and publishes a version that names the successor before the status is set. */
export function ReplaceForm({ summary, account, onSend }: ReplaceFormProps) {
  const client = useRegistryClient();
  const { publicUrl } = useRegistryConnection();
  const [typed, setTyped] = useState("");
  const { did, versionMajor: major, latestVersion } = summary;
  const problem = typed.trim() === "" ? undefined : successorProblem(typed, did);
  const plan = useMutation({
    mutationFn: async () => {
      const document = canonicalizeValue(await readRecordedDocument(did, latestVersion));
      const successor = normalizeDid(typed.trim());
      const parameters = { client, did, major, successor, document, baseUrl: publicUrl };
      return createPublication(await planReplacement(parameters), account);
    },
    onSuccess: onSend,
  });
  const setOnly = () => {
    const call = client.prepareUpdateStatus({ did, major, status: 2 });
    onSend(createIndexedChange({ did, call, account }));
  };
  const error = plan.isError ? toAppRegistryError(plan.error) : undefined;
  return (
    <form
      className="stack2"
      aria-label="Mark as replaced"
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate();
      }}
    >
      <p>
        Which service replaces this one? This takes two transactions: one publishes a version that names the
        successor, the other sets the status. {SUCCESSOR_MESSAGE}
      </p>
      <TextInput
        label="Successor DID"
        placeholder="did:web:next.example.com"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error === undefined ? null : (
        <div role="alert">
          <Problem level={3} title={error.shortMessage} action={error.action} />
        </div>
      )}
      <div className="bar">
        <Button
          type="submit"
          loading={plan.isPending}
          disabled={typed.trim() === "" || problem !== undefined}
        >
          Publish and mark as replaced
        </Button>
        <QuietButton onClick={setOnly}>Mark as replaced, no successor</QuietButton>
      </div>
    </form>
  );
}

function successorProblem(text: string, own: string): string | undefined {
  try {
    return normalizeDid(text.trim()) === own ? SELF_SUCCESSOR_MESSAGE : undefined;
  } catch (error) {
    if (error instanceof InvalidDidError) return error.reason;
    throw error;
  }
}
