"use client";

import { type AppSummary, type Operation, toAppRegistryError } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from "viem";
import { z } from "zod/mini";
import { AddressText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { createIndexedChange } from "./change.ts";

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
