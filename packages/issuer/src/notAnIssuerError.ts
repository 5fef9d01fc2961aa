import type { IssuerState } from "@app-registry/sdk";
import { AppRegistryError } from "@app-registry/sdk";
import type { Address } from "viem";

/** The account may not attest on this deployment's resolver. A retired issuer may still revoke. */
export class NotAnIssuerError extends AppRegistryError {
  override readonly name = "NotAnIssuerError";
  readonly state: IssuerState;

  constructor(state: IssuerState, resolver: Address) {
    super(sentences[state.status](state, resolver), {
      action:
        state.status === "unknown"
          ? "Have the resolver's owner add it with addIssuer, or configure an authorised key."
          : "Configure the key of an active issuer: an address is never added again.",
      docsPath: "/issuer#start",
    });
    this.state = state;
  }
}

const notAdded = ({ issuer }: IssuerState, resolver: Address) =>
  `The account ${issuer} is not an authorised issuer of the resolver ${resolver}.`;

const sentences: Record<IssuerState["status"], (state: IssuerState, resolver: Address) => string> = {
  unknown: notAdded,
  // The chain was read twice, and a reorganisation happened in between.
  active: notAdded,
  retired: ({ issuer }, resolver) =>
    `The account ${issuer} was retired as an issuer of the resolver ${resolver}: it attests nothing more, and can only revoke.`,
  distrusted: ({ issuer, distrustedSince = 0 }, resolver) =>
    `The account ${issuer} is distrusted by the owner of the resolver ${resolver}: what it stated since ` +
    `${new Date(distrustedSince * 1_000).toISOString()} is void, and it can state nothing more.`,
};
