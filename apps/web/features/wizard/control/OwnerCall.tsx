import type { AttestationWay } from "@app-registry/sdk";
import type { Address } from "viem";
import { CopyBlock } from "../../../components/record/documents.tsx";
import { createOwnershipTransfer } from "./handOver.ts";

interface OwnerCallProps {
  did: string;
  /** The wallet that is to control the DID. */
  account: Address;
  ways: readonly AttestationWay[];
}

/** The call that would make a wallet control a did:pkh; nothing where no single call does. */
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
