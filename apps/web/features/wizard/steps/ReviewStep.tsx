"use client";

import {
  describeCost,
  estimateCall,
  formatVersion,
  hashAlgorithmName,
  parseVersion,
  planPublication,
  preparePublication,
  type RegisteredDid,
  statusNames,
  toAppRegistryError,
} from "@app-registry/sdk";
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Address } from "viem";
import { CopyButton } from "../../../components/record/CopyButton.tsx";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";
import { interfaceText } from "../../../components/record/labels.tsx";
import { useAccountControl } from "../../control/ControllerActions.tsx";
import { Asked } from "../../wallet/Asked.tsx";
import { useRegistryClient, useWallet } from "../../wallet/useRegistryClient.ts";
import { ControlCheck } from "../control/ControlCheck.tsx";
import { publicationOf, requestOf, statusToSet } from "../draft/publication.ts";
import { fieldLabel } from "../draft/screens.ts";
import styles from "../fields/fields.module.css";
import { useRegistered, useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";
import { PublishedChanges } from "./PublishedChanges.tsx";

/** Everything that is published, exactly as it is, before it is signed. */
export function ReviewStep() {
  const { draft, problems, registered, publicUrl, showField } = useWizard();
  const { address } = useWallet();
  const publication = publicationOf(draft, { publicUrl, registered });
  const asked = useRegistered(draft);
  return (
    <>
      {problems.length === 0 ? null : (
        <Group
          title={`${problems.length} open ${problems.length === 1 ? "problem" : "problems"}`}
          help="Select a problem to jump to its field."
        >
          <ul className="stack">
            {problems.map((problem) => (
              <li key={problem.field + problem.code + problem.message}>
                <Anchor component="button" type="button" ta="left" onClick={() => showField(problem.field)}>
                  {fieldLabel(problem.field)}: {problem.message}
                </Anchor>
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
      {problems.length === 0 ? (
        <Asked
          query={asked}
          asking="Asking the chain what is registered of this DID"
          failed="The chain does not answer"
          otherwise="Whether this DID is registered already is not known, so nothing can be published now. What you typed stays."
          level={3}
        >
          {(known) => (address ? <Signing account={address} registered={known} /> : null)}
        </Asked>
      ) : null}
    </>
  );
}

function RecordFacts() {
  const { draft, registered, publicUrl } = useWizard();
  const did = draft.did.trim();
  const { dataHash, dataUrl, traits } = publicationOf(draft, { publicUrl, registered });
  const status = statusToSet(draft, registered);
  const present = registered?.record && statusNames[registered.record.status];
  const kind = registered?.record
    ? `New version of record ${registered.record.tokenId}, after ${formatVersion(registered.record.version)}`
    : "New record";
  return (
    <DefinitionLines
      lines={[
        { term: "What", value: kind },
        { term: "DID", value: did === "" ? "Missing" : <DidText did={did} copy={false} /> },
        { term: "Version", value: draft.version },
        ...(present === undefined
          ? []
          : [
              {
                term: "Status",
                value: status === undefined ? `${present}, as now` : `${statusNames[status]}, now ${present}`,
              },
            ]),
        { term: "Interfaces", value: interfaceText(draft.interfaces) || "Missing" },
        { term: "Traits", value: traits.join(", ") || "None" },
        { term: "Data URL", value: dataUrl ?? "Missing" },
        { term: "dataHash", value: dataHash ? <HashText hash={dataHash} label="dataHash" /> : "Missing" },
        { term: "Algorithm", value: hashAlgorithmName(draft.algorithm) },
      ]}
    />
  );
}

function Signing({ account, registered }: { account: Address; registered: RegisteredDid }) {
  const { did, record } = registered;
  const status = statusToSet(useWizard().draft, registered);
  const second = status === undefined ? "" : ` A second one marks the record as ${statusNames[status]}.`;
  const control = useAccountControl(did, account);
  const counts = control.data?.controller.counts === true;
  return (
    <Group
      title="What you sign"
      help={
        record
          ? `One transaction to the registry. It adds this version to the record; earlier versions stay readable.${second}`
          : "One transaction to the registry. It creates the record and its token, which belongs to your wallet, and stores the JSON if you chose that."
      }
    >
      <ControlCheck did={did} account={account} />
      {counts ? (
        <CostLine account={account} />
      ) : (
        <p className="soft small">
          The cost is known once control of the DID is checked, and shown again before you sign.
        </p>
      )}
    </Group>
  );
}

function CostLine({ account }: { account: Address }) {
  const { draft, publicUrl, registered } = useWizard();
  const client = useRegistryClient();
  const request = requestOf(draft, { publicUrl, registered });
  const cost = useQuery({
    queryKey: ["cost", account, request],
    queryFn: async () => {
      const version = parseVersion(request.version);
      const plan = await planPublication({ ...request, client, version });
      return estimateCall(client, preparePublication(client, plan), account);
    },
    retry: false,
  });
  if (cost.isPending) return <p className="soft small">Asking the chain what it costs</p>;
  if (cost.isError) return <p className="soft small">{toAppRegistryError(cost.error).shortMessage}</p>;
  return <p>{describeCost(client, cost.data)} at the current price.</p>;
}
