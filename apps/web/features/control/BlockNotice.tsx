"use client";

import {
  type BlockControllerParameters,
  createCallOperation,
  MAX_BLOCK,
  runOperation,
  toAppRegistryError,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Address, zeroAddress } from "viem";
import { getBlock } from "viem/actions";
import { Problem } from "../../components/record/Problem.tsx";
import {
  type AccountControl,
  newcomerTexts,
  readAccountControl,
  warningTexts,
} from "../../lib/control/accountControl.ts";
import { useOperationHost } from "../wallet/useOperation.ts";
import { useRegistryClient, useWallet } from "../wallet/useRegistryClient.ts";
import { WaitNotice } from "./statements.tsx";

/** Time between chain reads while an account does not control the DID, in milliseconds. */
const POLL_MS = 5_000;

/** Reads a wallet's control of a DID. With `watch`, repeats the read until the wallet controls the DID. */
export function useAccountControl(did: string, account: Address, { watch = false } = {}) {
  const read = useControlQuery();
  return useQuery({
    ...read(did, account),
    refetchInterval: ({ state }) => (watch && !state.data?.controller.controls ? POLL_MS : false),
  });
}

function useControlQuery() {
  const client = useRegistryClient();
  return (did: string, account: Address) => ({
    queryKey: ["controller", client.deployment.chainId, did, account],
    queryFn: () => readAccountControl(client, { did, account }),
  });
}

/** Returns the connected wallet while it is in charge of a DID and so may block and unblock accounts. */
function useWalletInCharge(did: string): Address | undefined {
  const { address } = useWallet();
  const read = useControlQuery();
  const { data } = useQuery({ ...read(did, address ?? zeroAddress), enabled: address !== undefined });
  return data?.controller.inCharge ? address : undefined;
}

/** Action that blocks accounts until 30 days from now, or ends the block of one. */
type Act = { kind: "block" | "unblock"; accounts: readonly Address[]; word: string; isMain?: boolean };

interface BlockNoticeProps {
  did: string;
  /** Account that waits for control or is blocked. */
  account: Address;
}

/** Shows a notice about an account that waits for control, with buttons if the connected wallet may block it. */
export function BlockNotice({ did, account }: BlockNoticeProps) {
  const wallet = useWalletInCharge(did);
  const { data: control } = useAccountControl(did, account, { watch: true });
  if (control === undefined) return null;
  const { controller, block } = control;
  const waiting = {
    account,
    controlsFrom: controller.controlsFrom ?? null,
    blockedUntil: controller.blockedUntil ?? null,
  };
  if (wallet === undefined) {
    if (controller.inCharge || !controller.attested) return null;
    return <WaitNotice level={3} {...newcomerTexts(waiting)} />;
  }
  const buttons = <BlockButtons did={did} control={control} />;
  if (controller.inCharge || (!controller.attested && block === undefined)) return buttons;
  return <WaitNotice level={3} {...warningTexts(waiting)} action={buttons} />;
}

/** Renders the buttons with which a controller blocks an account, or extends or ends its block. */
export function BlockButtons({ did, control }: { did: string; control: AccountControl }) {
  const wallet = useWalletInCharge(did);
  const { account, controller, block } = control;
  if (wallet === undefined) return null;
  const accounts = [account];
  const acts: Act[] = [];
  if (wallet !== account && !controller.inCharge) {
    const word = block === undefined ? "Block for 30 days" : "Extend block";
    acts.push({ kind: "block", accounts, word, isMain: true });
  }
  if (block !== undefined) acts.push({ kind: "unblock", accounts, word: "End block" });
  return acts.length === 0 ? null : <ActButtons did={did} wallet={wallet} acts={acts} />;
}

/** Renders a button that extends all blocks of a DID at once, or nothing unless several accounts are blocked. */
export function ExtendBlocks({ did, accounts }: { did: string; accounts: readonly Address[] }) {
  const wallet = useWalletInCharge(did);
  const read = useControlQuery();
  const controls = useQueries({ queries: accounts.map((account) => read(did, account)) });
  const blocked = controls.flatMap(({ data }) =>
    data?.block !== undefined && !data.controller.inCharge ? [data.account] : [],
  );
  if (wallet === undefined || blocked.length < 2) return null;
  const word = `Extend all ${blocked.length} blocks`;
  return <ActButtons did={did} wallet={wallet} acts={[{ kind: "block", accounts: blocked, word }]} />;
}

type ActButtonsProps = { did: string; wallet: Address; acts: readonly Act[] };

function ActButtons({ did, wallet, acts }: ActButtonsProps) {
  const host = useOperationHost();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: async ({ kind, accounts }: Act) => {
      const { client } = host;
      const until = Number((await getBlock(client.publicClient)).timestamp) + MAX_BLOCK;
      const blocks = accounts.map((controller): BlockControllerParameters => ({ did, controller, until }));
      const [first] = blocks;
      if (first === undefined) return;
      const call =
        kind === "unblock"
          ? client.prepareUnblockController(first)
          : blocks.length === 1
            ? client.prepareBlockController(first)
            : client.prepareBlockControllerBatch({ blocks });
      await runOperation(createCallOperation({ did, call, account: wallet }), host);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["controller"] }),
  });
  const error = send.isError ? toAppRegistryError(send.error) : undefined;
  return (
    <div className="stack">
      <div className="bar">
        {acts.map((act) => (
          <Button
            key={act.word}
            autoFocus={act.isMain === true && globalThis.location.hash === "#block"}
            variant={act.isMain ? "filled" : "default"}
            loading={send.isPending && send.variables.word === act.word}
            disabled={send.isPending}
            onClick={() => send.mutate(act)}
          >
            {act.word}
          </Button>
        ))}
      </div>
      {error ? (
        <div role="alert">
          <Problem level={3} title={error.shortMessage} action={error.action} detail={error.message} />
        </div>
      ) : null}
    </div>
  );
}
