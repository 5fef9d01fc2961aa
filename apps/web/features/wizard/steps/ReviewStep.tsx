"use client";

import { formatVersion, hashAlgorithmName, interfaceNames, toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { useConnectModal } from "@rainbow-me/rainbowkit";
import { useQuery } from "@tanstack/react-query";
import { formatEther } from "viem";
import { CopyBlock } from "../../../components/record/CopyBlock.tsx";
import { DidText } from "../../../components/record/DidText.tsx";
import { HashText } from "../../../components/record/HashText.tsx";
import { useRegistryClient, useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { useControl } from "../control/useControl.ts";
import { fieldLabel } from "../draft/fieldLabel.ts";
import { publicationOf } from "../draft/publication.ts";
import { orderOf } from "../submission/order.ts";
import { estimateCost } from "../submission/sendOrder.ts";
import type { Order } from "../submission/submission.ts";
import { useWizard } from "../WizardContext.tsx";
import { Group, StepFrame } from "./StepFrame.tsx";
import styles from "./steps.module.css";

/** Everything that is published, exactly as it is, before it is signed. */
export function ReviewStep({ onPublish }: { onPublish: (order: Order) => void }) {
  const { draft, problems, registered, publicUrl, showField } = useWizard();
  const { address, isConnected, isOnRegistryChain } = useWallet();
  const { openConnectModal } = useConnectModal();
  const publication = publicationOf(draft, publicUrl);
  const ready = problems.length === 0 && registered !== undefined;
  const order = ready && address ? orderOf(draft, { account: address, registered, publicUrl }) : undefined;
  return (
    <StepFrame
      title="Review and publish"
      intro="This is the record, byte for byte. What is hashed, signed and kept is exactly this."
    >
      {problems.length === 0 ? null : (
        <Group
          title={`${problems.length} open ${problems.length === 1 ? "problem" : "problems"}`}
          help="Each leads to the field where it is mended."
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
      <Group
        title="Metadata JSON"
        help="The canonical form (RFC 8785) of your document. Its hash is the dataHash."
      >
        <CopyBlock
          text={publication.canonical ?? ""}
          caption={`${publication.size.toLocaleString("en")} bytes`}
        />
      </Group>
      {order ? (
        <Signing order={order} onPublish={() => onPublish(order)} isOnChain={isOnRegistryChain} />
      ) : null}
      {isConnected ? null : (
        <div>
          <Button onClick={() => openConnectModal?.()}>Connect wallet to publish</Button>
        </div>
      )}
    </StepFrame>
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

function Signing({
  order,
  onPublish,
  isOnChain,
}: {
  order: Order;
  onPublish: () => void;
  isOnChain: boolean;
}) {
  const control = useControl(order.did, order.account);
  const counts = control.data?.counts === true;
  const title =
    order.kind === "mint" ? "Publish the record" : `Publish version ${formatVersion(order.version)}`;
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
      <div>
        <Button size="md" onClick={onPublish} disabled={!isOnChain}>
          {title}
        </Button>
      </div>
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
      About {cost.data.gas.toLocaleString("en")} gas, {formatEther(cost.data.wei)} ETH at the present price.
    </p>
  );
}
