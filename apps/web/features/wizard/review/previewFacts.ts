import type { Fact } from "@app-registry/sdk";
import type { Address } from "viem";
import type { ControlState } from "../control/controlState.ts";

const after = (reason: string): Fact => ({ outcome: "unknown", reason, evidence: {} });

/** The facts that nobody can know before a version is published. */
export const laterFacts: Record<"record" | "content" | "attested", Fact> = {
  record: after("Checked after publishing: whether the registry has this version."),
  content: after("Checked after publishing: whether the document matches the hash you signed."),
  attested: after("Checked after publishing: the issuer hashes the document and attests the result."),
};

/** The fact *control* as a page would show it if the wallet published now. */
export function controlFactOf(state: ControlState, wallet: Address | undefined): Fact {
  if (wallet === undefined) return after("Connect the wallet you'll publish with.");
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
      return after("Your wallet is attested, but its control is not in effect yet.");
    case "unchecked":
      return after("Not checked yet. We check it before you publish.");
    case "unread":
      return after("Checking the chain…");
  }
}
