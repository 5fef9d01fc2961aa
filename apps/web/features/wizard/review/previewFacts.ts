import type { Fact } from "@app-registry/sdk";
import type { Address } from "viem";
import type { ControlState } from "../control/controlState.ts";

const createPendingFact = (reason: string): Fact => ({ outcome: "unknown", reason, evidence: {} });

/** Facts that can only be checked after publishing. */
export const pendingFacts: Record<"record" | "content" | "attested", Fact> = {
  record: createPendingFact("Whether the registry has this version."),
  content: createPendingFact("Whether the document matches the hash you signed."),
  attested: createPendingFact("The issuer hashes the document and attests the result."),
};

/** Returns the fact *control* as the page would show it if the wallet published now. */
export function toControlFact(state: ControlState, wallet: Address | undefined): Fact {
  if (wallet === undefined) return createPendingFact("Connect the wallet you'll publish with.");
  const accounts = [{ address: wallet, controls: state.kind === "holds" }];
  switch (state.kind) {
    case "holds": {
      const evidence = { accounts, ...(state.until !== undefined && { expiresAt: state.until }) };
      return { outcome: "pass", reason: `Your wallet ${wallet} controls the DID.`, evidence };
    }
    case "failed":
      return {
        outcome: "fail",
        reason: `Your wallet ${wallet} does not control the DID.`,
        evidence: { accounts },
      };
    case "waits":
      return createPendingFact("Your wallet is attested, but its control is not in effect yet.");
    case "unchecked":
      return createPendingFact("Not checked yet. We check control before you publish.");
    case "unread":
      return createPendingFact("Checking the chain…");
  }
}
