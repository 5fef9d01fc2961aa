"use client";

import type { AppSummary, Operation } from "@app-registry/sdk";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { useRegistryClient } from "../wallet/useRegistryClient.ts";
import { changeOf } from "./change.ts";

interface TransferFormProps {
  summary: AppSummary;
  onSend: (operation: Operation) => void;
}

/** Asks for the new holder of a record's token, and says what moves with it and what does not. */
export function TransferForm({ summary, onSend }: TransferFormProps) {
  const client = useRegistryClient();
  const [typed, setTyped] = useState("");
  const { did, owner, tokenId } = summary;
  const recipient = readRecipient(typed.trim(), owner);
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
        onSend(changeOf({ did, call, account: owner }));
      }}
    >
      <Problem
        tone="unknown"
        level={3}
        title="Control of the DID stays with its controllers"
        why="The new holder shows as the record's holder and can transfer the token. It can publish and change the status only while issuers attest that it controls the DID. Its minter can go on publishing while it controls the DID. Only the new holder can give the token back."
      />
      <TextInput
        label="New holder"
        description="An address that can receive ERC-721 tokens."
        placeholder="0x…"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={typed.trim() === "" ? undefined : recipient.problem}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <p className="soft" role="status">
        {counts === undefined
          ? ""
          : counts
            ? "This account controls the DID, so it can publish and change the status."
            : "This account does not control the DID now, so it can hold and transfer the token, and nothing else."}
      </p>
      <div>
        <Button type="submit" disabled={to === undefined}>
          Transfer the token
        </Button>
      </div>
    </form>
  );
}

/** The account that a text names; a checksum that is wrong means a digit that is wrong. */
function readRecipient(text: string, owner: Address): { address?: Address; problem?: string } {
  if (!isAddress(text, { strict: false }))
    return { problem: "An account is an address: 0x and 40 hex digits." };
  if (!isAddress(text)) return { problem: "The checksum of this address is wrong. Copy it again." };
  const address = getAddress(text);
  if (isAddressEqual(address, owner)) return { problem: "This account holds the token already." };
  if (isAddressEqual(address, zeroAddress)) return { problem: "Nobody has this address." };
  return { address };
}
