import type { Fact } from "@app-registry/sdk";
import type { Address } from "viem";
import type { ControlState } from "../control/controlState.ts";

const after = (reason: string): Fact => ({ outcome: "unknown", reason, evidence: {} });

/** The facts that nobody can know before a version is published. */
export const laterFacts: Record<"record" | "content" | "attested", Fact> = {
  record: after("Known after publishing: the registry will hold this version."),
  content: after("Known after publishing: the document will be compared with what you signed."),
  attested: after("Known after publishing: the issuer then hashes the document itself."),
};

/** The fact *control* as a page would show it if the wallet published now. */
export function controlFactOf(state: ControlState, wallet: Address | undefined): Fact {
  if (wallet === undefined) return after("Connect the wallet that publishes.");
  const accounts = [{ address: wallet, counts: state.kind === "holds" }];
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
      return after("Your wallet is attested, and does not count as a controller yet.");
    case "unchecked":
      return after("Not checked yet. It is checked before you publish.");
    case "unread":
      return after("Asking the chain.");
  }
}
