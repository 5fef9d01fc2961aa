"use client";

import {
  type AppRegistryClient,
  type PreparedCall,
  runOperation,
  startChange,
  toAppRegistryError,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Address, isAddressEqual } from "viem";
import { Problem } from "../../components/record/Problem.tsx";
import { useOperationHost } from "../wallet/useOperation.ts";
import { useRegistryClient, useWallet } from "../wallet/useRegistryClient.ts";
import { isLate } from "./controlWaits.ts";
import { type AccountControl, readAccountControl } from "./readAccountControl.ts";

/** Milliseconds between two looks at the chain while an account does not count. */
const POLL_MS = 5_000;

/** What the resolver says of a wallet and a DID; with `watch`, it is asked again until the wallet counts. */
export function useAccountControl(did: string, account: Address, { watch = false } = {}) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["controller", client.deployment.chainId, did, account],
    queryFn: () => readAccountControl(client, { did, account }),
    refetchInterval: ({ state }) => (watch && !state.data?.controller.counts ? POLL_MS : false),
  });
}

type Action = "vouchController" | "objectToController" | "withdrawObjection";

const words: Record<Action, string> = {
  vouchController: "Vouch for this account",
  objectToController: "Object to this account",
  withdrawObjection: "Withdraw objection",
};

/** A link to the page of an account may name the button that it leads to. */
const anchors: Partial<Record<Action, string>> = { vouchController: "#vouch", objectToController: "#object" };

const calls: Record<
  Action,
  (client: AppRegistryClient, subject: { did: string; controller: Address }) => PreparedCall
> = {
  vouchController: (client, subject) => client.prepareVouchController(subject),
  objectToController: (client, subject) => client.prepareObjectToController(subject),
  withdrawObjection: (client, subject) => client.prepareWithdrawObjection(subject),
};

interface ControllerActionsProps {
  did: string;
  /** The account that is spoken for or against. */
  control: AccountControl;
  /** Only what helps the account: the page is its own. */
  onlyHelp?: boolean;
}

/** What the connected wallet can do for or against another account's control of a DID. */
export function ControllerActions({ did, control, onlyHelp = false }: ControllerActionsProps) {
  const { address: connected } = useWallet();
  if (!connected || isAddressEqual(connected, control.account)) return null;
  return <Actions did={did} control={control} onlyHelp={onlyHelp} connected={connected} />;
}

function Actions({
  did,
  control,
  onlyHelp,
  connected,
}: Required<ControllerActionsProps> & { connected: Address }) {
  const host = useOperationHost();
  const queries = useQueryClient();
  const own = useAccountControl(did, connected);
  const { account } = control;
  const send = useMutation({
    mutationFn: (action: Action) => {
      const call = calls[action](host.client, { did, controller: account });
      return runOperation(startChange({ did, call, account: connected }), host);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["controller"] }),
  });
  if (own.isPending) return <p>Checking what your wallet can do…</p>;
  const actions = possibleActions(control, connected, own.data).filter(
    (action) => !onlyHelp || action !== "objectToController",
  );
  if (actions.length === 0) {
    return <p>The connected wallet can't vouch. Only a current controller of this DID can.</p>;
  }
  const error = send.isError ? toAppRegistryError(send.error) : undefined;
  return (
    <div className="stack">
      {actions.includes("vouchController") ? (
        <p>
          The connected wallet controls this DID. If you vouch, the other account controls the DID
          immediately, as fully as any controller. You can't withdraw a vouch.
        </p>
      ) : null}
      <div className="bar">
        {actions.map((action) => (
          <Button
            key={action}
            autoFocus={globalThis.location.hash === anchors[action]}
            variant={action === "vouchController" ? "filled" : "default"}
            loading={send.isPending && send.variables === action}
            disabled={send.isPending}
            onClick={() => send.mutate(action)}
          >
            {words[action]}
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

/** What the resolver would take of a wallet. */
function possibleActions(
  { controller, objections }: AccountControl,
  wallet: Address,
  own: AccountControl | undefined,
): Action[] {
  const counts = own?.controller.counts === true;
  const mayObject = counts || own?.attestations.some(isLate) === true;
  const objects = objections.some(({ author }) => isAddressEqual(author, wallet));
  const vouchable = counts && controller.attested && !controller.counts;
  const objectable = mayObject && !objects && !controller.counts;
  return [
    ...(vouchable ? (["vouchController"] as const) : []),
    ...(objectable ? (["objectToController"] as const) : []),
    ...(objects ? (["withdrawObjection"] as const) : []),
  ];
}
