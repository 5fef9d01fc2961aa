import type { AttestationWay } from "@app-registry/sdk";
import type { Address } from "viem";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { createOwnershipTransfer } from "./handOver.ts";

interface OwnerCallProps {
  did: string;
  /** Wallet that should control the DID. */
  account: Address;
  ways: readonly AttestationWay[];
}

/** Shows the contract call that would give a wallet control of a did:pkh, or nothing if no single call does. */
export function OwnerCall({ did, account, ways }: OwnerCallProps) {
  const handOver = createOwnershipTransfer(did, account, ways);
  if (handOver === undefined) return null;
  const { owner, chainId, contract, call, data } = handOver;
  return (
    <section className="stack" aria-label="Contract call that makes your wallet the owner">
      <p>
        {owner === undefined ? "An administrator" : "The current owner"} of the contract can make your wallet
        its controller with one call on chain {chainId}. If the contract uses two-step ownership, your wallet
        must then call <code>acceptOwnership()</code>.
      </p>
      {owner === undefined ? null : <CopyBlock text={owner} caption="Current owner" />}
      <CopyBlock text={contract} caption="Contract" />
      <CopyBlock text={call} caption="Call" />
      <CopyBlock text={data} caption="Calldata" />
    </section>
  );
}
