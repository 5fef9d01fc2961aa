"use client";

import { toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Address, isAddressEqual } from "viem";
import { AddressText } from "../../../components/record/AddressText.tsx";
import { StatusMark } from "../../../components/record/StatusMark.tsx";
import { TimeText } from "../../../components/record/TimeText.tsx";
import { useRegistryClient, useSigner, useWallet } from "../../wallet/useRegistryClient.ts";
import { useControl } from "../control/useControl.ts";
import styles from "./NewcomerWait.module.css";
import { SubmissionProblemView } from "./SubmissionProblemView.tsx";

interface NewcomerWaitProps {
  did: string;
  /** The wallet that waits. */
  newcomer: Address;
  /** Unix seconds. */
  countsFrom: number | undefined;
}

/** Until when a newcomer on a claimed DID waits, and who can end the wait: that wallet does it from here. */
export function NewcomerWait({ did, newcomer, countsFrom }: NewcomerWaitProps) {
  const client = useRegistryClient();
  const { address: connected } = useWallet();
  const first = useQuery({
    queryKey: ["first controller", client.deployment.chainId, did],
    queryFn: async () => {
      const address = await client.firstController(did);
      return {
        address,
        counts: address !== undefined && (await client.checkDid({ did, controller: address })),
      };
    },
  });
  const control = useControl(did, newcomer);
  const counts = control.data?.counts === true;
  return (
    <section className={styles.wait} aria-label="The wait of a newcomer">
      <dl className={styles.facts}>
        <dt>Wallet that waits</dt>
        <dd>
          <AddressText address={newcomer} />
        </dd>
        <dt>Counts from</dt>
        <dd>{countsFrom === undefined ? "not known" : <TimeText seconds={countsFrom} />}</dd>
        <dt>First controller</dt>
        <dd>
          {first.data?.address ? (
            <AddressText address={first.data.address} />
          ) : first.isPending ? (
            "Asking the chain"
          ) : (
            "none"
          )}
          {first.data && !first.data.counts ? ", which does not count now" : ""}
        </dd>
      </dl>
      {counts ? (
        <p role="status">
          <StatusMark outcome="pass" /> The wallet counts now. Connect it and try again.
        </p>
      ) : connected && !isAddressEqual(connected, newcomer) ? (
        <Vouch did={did} newcomer={newcomer} voucher={connected} />
      ) : (
        <p>
          A wallet that counts, such as the first controller, can vouch for yours and end the wait at once. If
          it is yours too, connect it here: this page then offers to vouch, and keeps what you publish.
        </p>
      )}
    </section>
  );
}

function Vouch({ did, newcomer, voucher }: { did: string; newcomer: Address; voucher: Address }) {
  const client = useRegistryClient();
  const openSigner = useSigner();
  const queries = useQueryClient();
  const control = useControl(did, voucher);
  const vouch = useMutation({
    mutationFn: async () => {
      const hash = await (await openSigner()).vouchController({ did, controller: newcomer });
      await client.waitForReceipt({ hash });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["controller"] }),
  });
  if (control.isPending) return <p>Asking the chain whether the connected wallet can vouch</p>;
  const canVouch = control.data?.counts === true && control.data.voucher === undefined;
  if (!canVouch) {
    return (
      <p>
        The connected wallet can't vouch for this DID: it does not count, or counts by a vouch only. Connect
        the first controller.
      </p>
    );
  }
  const error = vouch.isError ? toAppRegistryError(vouch.error) : undefined;
  return (
    <>
      <p>
        The connected wallet counts for this DID. Vouching is one transaction, and lets the other wallet count
        at once.
      </p>
      <div>
        <Button loading={vouch.isPending} onClick={() => vouch.mutate()}>
          Vouch for {newcomer.slice(0, 6)}…{newcomer.slice(-4)}
        </Button>
      </div>
      {error ? <SubmissionProblemView problem={{ title: error.shortMessage, action: error.action }} /> : null}
    </>
  );
}
