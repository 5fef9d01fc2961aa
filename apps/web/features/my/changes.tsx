"use client";

import {
  type AppStatus,
  type AppSummary,
  appStatusLabels,
  canonicalizeValue,
  createCallOperation,
  createPublication,
  InvalidDidError,
  MAX_NOTES_LENGTH,
  normalizeDid,
  type Operation,
  planReplacement,
  toAppRegistryError,
} from "@app-registry/sdk";
import { requestJson, SELF_SUCCESSOR_MESSAGE, SUCCESSOR_MESSAGE } from "@app-registry/sdk/internal";
import { Button, Textarea, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useState } from "react";
import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from "viem";
import { z } from "zod/mini";
import { AddressText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { readRecordedDocument } from "../../components/record/readRecordedDocument.ts";
import { useRegistryClient, useRegistryConnection } from "../wallet/useRegistryClient.ts";
import { QuietButton } from "../wallet/WalletBar.tsx";

/** Change of a record or of control. The page runs one at a time, at the place where its action was pressed. */
export interface PageChange {
  /** False while a change is running, was sent, or the wallet can't sign. */
  isFree: boolean;
  /** Shows a change with its consequence. The wallet opens once the user continues. */
  open: (operation: Operation, place: string) => void;
  /** Starts a change whose consequence its form has shown. */
  start: (operation: Operation, place: string) => void;
  /** Place of `view`. */
  place: string | undefined;
  view: ReactNode;
}

const never = () => undefined;
const none: PageChange = { isFree: false, open: never, start: never, place: undefined, view: null };

export const ChangeContext = createContext(none);

/** Renders the page's change if its action was pressed at this place. */
export function ChangeAt({ place }: { place: string }): ReactNode {
  const change = use(ChangeContext);
  return change.place === place ? change.view : null;
}

/** Creates a change that ends once the index contains it, because the page lists the index's records. */
export const createIndexedChange = (
  change: Omit<Parameters<typeof createCallOperation>[0], "stages">,
): Operation => createCallOperation({ ...change, stages: ["simulate", "sign", "receipt", "index"] });

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

interface TransferFormProps {
  summary: AppSummary;
  onSend: (operation: Operation) => void;
}

/** Time without typing before a name is resolved, in milliseconds. */
const TYPING_MS = 400;

/** Requests the new holder of a record's token, and explains what is transferred and what is not. */
export function TransferForm({ summary, onSend }: TransferFormProps) {
  const client = useRegistryClient();
  const [typed, setTyped] = useState("");
  const { did, owner, tokenId } = summary;
  const text = typed.trim();
  const isName = /^[^\s/]+\.[^\s/.]+$/.test(text);
  const [name] = useDebouncedValue(text, TYPING_MS);
  const resolved = useQuery({
    queryKey: ["ens", name],
    enabled: isName && name === text,
    retry: false,
    queryFn: () =>
      requestJson(
        { baseUrl: location.origin },
        `/api/ens/${encodeURIComponent(name)}`,
        z.object({ address: z.custom<Address>(isAddress) }),
      ),
  });
  const recipient = !isName
    ? readRecipient(text, owner)
    : name === text && resolved.data
      ? readRecipient(resolved.data.address, owner)
      : { problem: resolved.error ? toAppRegistryError(resolved.error).shortMessage : undefined };
  const to = recipient.address;
  const counts = useQuery({
    queryKey: ["counts", client.deployment.chainId, did, to],
    enabled: to !== undefined,
    queryFn: () => client.checkDid({ did, controller: to ?? zeroAddress }),
  }).data;
  return (
    <form
      className="stack2"
      aria-label="Transfer"
      onSubmit={(event) => {
        event.preventDefault();
        if (to === undefined) return;
        const call = client.prepareTransfer({ from: owner, to, tokenId });
        onSend(createIndexedChange({ did, call, account: owner }));
      }}
    >
      <Problem
        tone="unknown"
        level={3}
        title="Transferring the token doesn't transfer control of the DID"
        why="The record shows the new holder, who can transfer the token again. The new holder can publish versions and change the status only while controlling the DID. The minter can keep publishing while controlling the DID, until the new holder reclaims the record. You can't undo the transfer: only the new holder can send the token back."
      />
      <TextInput
        label="New holder"
        description="An address or an ENS name. Must be able to receive ERC-721 tokens."
        placeholder="0x… or example.eth"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={typed}
        error={text === "" ? undefined : recipient.problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isName && to !== undefined ? (
        <p>
          <bdi>{text}</bdi> is <AddressText address={to} />. Check this address: the token goes to it.
        </p>
      ) : null}
      <p className="soft" role="status">
        {counts === undefined
          ? ""
          : counts
            ? "This account controls the DID, so it will be able to publish and change the status."
            : "This account does not control the DID, so it will only be able to hold and transfer the token."}
      </p>
      <div>
        <Button type="submit" disabled={to === undefined}>
          Transfer token
        </Button>
      </div>
    </form>
  );
}

/** Parses the recipient. A wrong checksum indicates a mistyped digit. */
function readRecipient(text: string, owner: Address): { address?: Address; problem?: string | undefined } {
  if (!isAddress(text, { strict: false }))
    return { problem: "Enter an address: 0x followed by 40 hex digits, or an ENS name." };
  if (!isAddress(text)) return { problem: "The checksum of this address is wrong. Copy the address again." };
  const address = getAddress(text);
  if (isAddressEqual(address, owner)) return { problem: "This account already holds the token." };
  if (isAddressEqual(address, zeroAddress)) return { problem: "Nobody controls the zero address." };
  return { address };
}
