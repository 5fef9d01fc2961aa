"use client";

import { parseDid } from "@app-registry/sdk";
import { contractEndpointIndex } from "../draft/draft.ts";
import { pointerOf } from "../draft/pointer.ts";
import { canonicalDid } from "../draft/problems.ts";
import { DraftText } from "../fields/DraftText.tsx";
import styles from "../fields/fields.module.css";
import { MetadataText } from "../fields/MetadataText.tsx";
import { useWizard } from "../WizardContext.tsx";
import { StepFrame } from "./StepFrame.tsx";

/** Where the contract is and how to call it. */
export function ContractStep() {
  const { draft, dispatch, registered } = useWizard();
  const index = contractEndpointIndex(draft.metadata);
  const did = canonicalDid(draft.did);
  const parsed = did === undefined ? undefined : parseDid(did);
  return (
    <StepFrame
      title="Contract"
      intro="The contract's address comes from the DID. What you add here helps programs to call it."
    >
      <p className={styles.note}>
        {parsed?.method === "pkh"
          ? `The DID names contract ${parsed.address} on chain ${parsed.chainId}.`
          : "The DID has to be a did:pkh, such as did:pkh:eip155:1:0x…: its last part is the contract's address."}
      </p>
      <DraftText
        field="contractId"
        label="Contract id (CAIP-10)"
        placeholder={parsed?.method === "pkh" ? `eip155:${parsed.chainId}:${parsed.address}` : "eip155:1:0x…"}
        fixed={registered?.record !== undefined}
        help="Optional. When it is given it names the same contract as the DID."
      />
      <MetadataText
        pointer={pointerOf("endpoints", index, "endpoint")}
        label="RPC endpoint URL"
        placeholder="https://rpc.example.com"
        mono
        onText={(value) => dispatch({ type: "contractEndpoint", key: "endpoint", value })}
        help="A node that you recommend for calling it. Optional."
      />
      <MetadataText
        pointer={pointerOf("endpoints", index, "schemaUrl")}
        label="ABI URL"
        placeholder="https://example.com/abi.json"
        mono
        onText={(value) => dispatch({ type: "contractEndpoint", key: "schemaUrl", value })}
        help="Where the ABI can be read as JSON. Optional."
      />
    </StepFrame>
  );
}
