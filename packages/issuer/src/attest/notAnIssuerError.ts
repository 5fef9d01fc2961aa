import type { IssuerState } from "@app-registry/sdk";
import { AppRegistryError } from "@app-registry/sdk";
import type { Address } from "viem";

/** Error for an account that may not attest on this deployment's resolver. A retired issuer may still revoke. */
export class NotAnIssuerError extends AppRegistryError {
  override readonly name = "NotAnIssuerError";
  readonly state: IssuerState;

  constructor(state: IssuerState, resolver: Address) {
    super(sentences[state.status](state, resolver), {
      action:
        state.status === "unknown"
          ? "Ask the resolver's owner to add it with addIssuer, or configure the key of an authorised issuer."
          : "Configure the key of an active issuer. An address can't be added again.",
      docsPath: "/issuer#start",
    });
    this.state = state;
  }
}

const notAdded = ({ issuer }: IssuerState, resolver: Address) =>
  `Account ${issuer} is not an authorised issuer in resolver ${resolver}.`;

const sentences: Record<IssuerState["status"], (state: IssuerState, resolver: Address) => string> = {
  unknown: notAdded,
  // An active issuer gets here only if a reorganization occurs between two reads of the chain.
  active: notAdded,
  retired: ({ issuer }, resolver) =>
    `The account ${issuer} has been retired as an issuer in resolver ${resolver}. It can revoke, but no longer attest.`,
  distrusted: ({ issuer, distrustedSince = 0 }, resolver) =>
    `The account ${issuer} has been distrusted by the owner of resolver ${resolver}. Its statements since ` +
    `${new Date(distrustedSince * 1_000).toISOString()} are void, and it can't make new ones.`,
};
