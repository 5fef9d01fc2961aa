"use client";

import { formatVersion, hashAlgorithmName, interfaceNames, toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "../../../components/record/CopyButton.tsx";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";

import { Problem } from "../../../components/record/Problem.tsx";
import { useAccountControl } from "../../control/ControllerActions.tsx";
import { formatFee } from "../../wallet/chain.ts";
import { useRegistryClient } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { publicationOf } from "../draft/publication.ts";
import { fieldLabel } from "../draft/screens.ts";
import styles from "../fields/fields.module.css";
import { estimateCost } from "../submission/sendOrder.ts";
import type { Order } from "../submission/submission.ts";
import { useOrder } from "../useOrder.ts";
import { useRegistered, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { PublishedChanges } from "./PublishedChanges.tsx";

/** Everything that is published, exactly as it is, before it is signed. */
export function ReviewStep() {
  const { draft, problems, registered, publicUrl, showField } = useWizard();
  const publication = publicationOf(draft, publicUrl);
  const order = useOrder();
  return (
    <>
      {problems.length === 0 ? null : (
        <Group
          title={`${problems.length} open ${problems.length === 1 ? "problem" : "problems"}`}
          help="Select a problem to jump to its field."
        >
          <ul className={styles.problems}>
            {problems.map((problem) => (
              <li key={problem.field + problem.code + problem.message}>
                <button type="button" className={styles.problemLink} onClick={() => showField(problem.field)}>
                  {fieldLabel(problem.field)}: {problem.message}
                </button>
              </li>
            ))}
          </ul>
        </Group>
      )}
      <RecordFacts />
      {registered?.record ? (
        <PublishedChanges did={registered.did} version={registered.record.version} />
      ) : null}
      <Group
        title="Metadata JSON"
        help="The canonical form (RFC 8785) of your document. Its hash is the dataHash."
      >
        <div className={styles.exact}>
          <CopyButton text={publication.canonical ?? ""} label="Copy the metadata JSON" withWord />
          <pre>{publication.canonical}</pre>
        </div>
      </Group>
      {order ? <Signing order={order} /> : null}
      {problems.length === 0 && registered === undefined ? <ChainSilence /> : null}
    </>
  );
}

function RecordFacts() {
  const { draft, registered, publicUrl } = useWizard();
  const { dataHash, dataUrl, traits } = publicationOf(draft, publicUrl);
  const kind = registered?.record
    ? `New version of record ${registered.record.tokenId}, after ${formatVersion(registered.record.version)}`
    : "New record";
  return (
    <dl className={styles.facts}>
      <dt>What</dt>
      <dd>{kind}</dd>
      <dt>DID</dt>
      <dd>{draft.did.trim() === "" ? "Missing" : <DidText did={draft.did.trim()} copy={false} />}</dd>
      <dt>Version</dt>
      <dd>{draft.version}</dd>
      <dt>Interfaces</dt>
      <dd>{interfaceNames(draft.interfaces).join(", ").replace("Api", "API") || "Missing"}</dd>
      <dt>Traits</dt>
      <dd>{traits.join(", ") || "None"}</dd>
      <dt>Data URL</dt>
      <dd>{dataUrl ?? "Missing"}</dd>
      <dt>dataHash</dt>
      <dd>{dataHash ? <HashText hash={dataHash} label="dataHash" /> : "Missing"}</dd>
      <dt>Algorithm</dt>
      <dd>{hashAlgorithmName(draft.algorithm)}</dd>
    </dl>
  );
}

/** The draft is complete, but the chain has not said yet whether the DID is registered. */
function ChainSilence() {
  const { draft } = useWizard();
  const registered = useRegistered(draft);
  if (!registered.isError) return <p role="status">Asking the chain what is registered of this DID</p>;
  return (
    <Problem
      level={3}
      tone="unknown"
      title="The chain does not answer"
      why="Whether this DID is registered already is not known, so nothing can be published now. What you typed stays."
      action={<Button onClick={() => void registered.refetch()}>Ask again</Button>}
      detail={registered.error.message}
    />
  );
}

function Signing({ order }: { order: Order }) {
  const control = useAccountControl(order.did, order.account);
  const counts = control.data?.controller.counts === true;
  return (
    <Group
      title="What you sign"
      help={
        order.kind === "mint"
          ? "One transaction to the registry. It creates the record and its token, which belongs to your wallet, and stores the JSON where you chose so."
          : "One transaction to the registry. It adds this version to the record; earlier versions stay readable."
      }
    >
      <ControlCheck did={order.did} account={order.account} />
      {counts ? (
        <CostLine order={order} />
      ) : (
        <p className={styles.note}>
          The cost is known once control of the DID is checked, and shown again before you sign.
        </p>
      )}
    </Group>
  );
}

function CostLine({ order }: { order: Order }) {
  const client = useRegistryClient();
  const cost = useQuery({
    queryKey: [
      "cost",
      order.did,
      order.version,
      order.dataHash,
      order.dataUrl,
      order.account,
      order.metadataJson === "",
    ],
    queryFn: () => estimateCost(client, order),
    retry: false,
  });
  if (cost.isPending) return <p className={styles.note}>Asking the chain what it costs</p>;
  if (cost.isError) return <p className={styles.note}>{toAppRegistryError(cost.error).shortMessage}</p>;
  return (
    <p>
      About {cost.data.gas.toLocaleString("en")} gas, {formatFee(cost.data.wei)} at the present price.
    </p>
  );
}
