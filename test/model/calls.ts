import { type Interface, type SigningKey, TypedDataEncoder } from "ethers";
import type { Address, Hex } from "viem";
import { mintArguments, updateArguments } from "../registry/fixture.ts";
import type { Action } from "./actions.ts";
import { computeHash } from "./answers.ts";
import type { Rules } from "./rules.ts";

/** Contracts that the actions call, and keys that sign. */
export interface Targets {
  resolver: { address: Address; interface: Interface };
  registry: { address: Address; interface: Interface };
  chainId: bigint;
  /** Returns the number of a driven account; 0 is the resolver's owner. */
  numberOf: (account: string) => number;
  /** Keys of issuers that are not contracts. */
  keys: Map<string, SigningKey>;
}

export interface Call {
  account: number;
  target: Address;
  data: Hex;
}

/** Returns the call that performs an action. Token ids and versions are the model's. */
export function toCall(action: Action, targets: Targets, rules: Rules): Call {
  const { numberOf } = targets;
  const resolver = (by: string | undefined, name: string, ...values: unknown[]): Call => ({
    account: by === undefined ? 0 : numberOf(by),
    target: targets.resolver.address,
    data: targets.resolver.interface.encodeFunctionData(name, values) as Hex,
  });
  const registry = (by: string, name: string, ...values: unknown[]): Call => ({
    account: numberOf(by),
    target: targets.registry.address,
    data: targets.registry.interface.encodeFunctionData(name, values) as Hex,
  });
  switch (action.kind) {
    case "state": {
      const { did, subject, expiresAt } = action.entry;
      const expiry = action.says === "attest" ? [expiresAt] : [];
      return resolver(action.issuer, `${action.says}${action.topic}`, computeHash(did), subject, ...expiry);
    }
    case "stateBatch": {
      const entries = action.entries.map(({ did, subject, expiresAt }) => [
        computeHash(did),
        subject,
        expiresAt,
      ]);
      return resolver(action.issuer, `${action.says}${action.topic}Batch`, entries);
    }
    case "stateSigned": {
      const { did, subject, expiresAt } = action.entry;
      const words = [computeHash(did), subject, expiresAt] as const;
      const signature = [action.issuer, action.statedAt, action.deadline, sign(action, targets)];
      return action.says === "attest"
        ? resolver(undefined, `attest${action.topic}BySignature`, words, signature)
        : resolver(undefined, `revoke${action.topic}BySignature`, computeHash(did), subject, signature);
    }
    case "block": {
      const { did, account, until } = action.request;
      return resolver(action.by, "blockController", computeHash(did), account, until);
    }
    case "blockBatch": {
      const requests = action.requests.map(({ did, account, until }) => [computeHash(did), account, until]);
      return resolver(action.by, "blockControllerBatch", requests);
    }
    case "unblock":
      return resolver(action.by, "unblockController", computeHash(action.did), action.account);
    case "challengeDID":
      return resolver(action.by, action.kind, computeHash(action.did), action.incumbent);
    case "resolveChallenge":
      return resolver(action.by, action.kind, computeHash(action.did), action.incumbent, action.challenger);
    case "addIssuer":
    case "retireIssuer":
      return resolver(undefined, action.kind, action.issuer);
    case "distrustIssuer":
      return resolver(undefined, action.kind, action.issuer, action.since);
    case "endAttestation":
      return resolver(
        undefined,
        `end${action.topic}Attestation`,
        ...[computeHash(action.did), action.subject, action.issuer],
      );
    case "mint":
      return registry(
        action.by,
        "mint",
        ...mintArguments({ did: action.did, version: [action.major, 0, 0] }),
      );
    case "openReclaim":
    case "finishReclaim":
    case "dismissReclaims":
      return registry(action.by, action.kind, action.did, action.major);
    case "update": {
      const { did, major } = action;
      const number = rules.recordOf(did, major)?.versions ?? 1;
      const version: [number, number, number] = [major, number >> 8, number & 0xff];
      return registry(action.by, "updateAppControlled", ...updateArguments({ did, version }));
    }
    case "republish":
      return registry(action.by, "republishMetadata", action.did, action.major, "{}");
    case "updateStatus":
      return registry(action.by, "updateStatus", action.did, action.major, action.status);
    case "transfer": {
      const tokenId = rules.recordOf(action.did, action.major)?.tokenId ?? 0;
      return registry(action.by, "transferFrom", action.by, action.to, tokenId);
    }
  }
}

type Signed = Extract<Action, { kind: "stateSigned" }>;

/** Signs a statement. The signature of a driven account is the digest itself, see `DrivenAccount`. */
function sign(action: Signed, { resolver, chainId, keys }: Targets): string {
  const { topic, says, entry, issuer, statedAt, deadline, genuine } = action;
  const subject = topic === "DID" ? "controller" : "dataHash";
  const fields = [
    { name: "didHash", type: "bytes32" },
    { name: subject, type: topic === "DID" ? "address" : "bytes32" },
    ...(says === "attest" ? [{ name: "expiresAt", type: "uint64" }] : []),
    { name: "issuer", type: "address" },
    { name: "statedAt", type: "uint64" },
    { name: "deadline", type: "uint64" },
  ];
  const domain = {
    ...{ name: "App Registry Resolver", version: "1", chainId },
    verifyingContract: resolver.address,
  };
  const value = {
    didHash: computeHash(entry.did),
    [subject]: entry.subject,
    expiresAt: entry.expiresAt,
    ...{ issuer, statedAt, deadline: genuine ? deadline : deadline + 1 },
  };
  const digest = TypedDataEncoder.hash(
    domain,
    { [`${says === "attest" ? "Attest" : "Revoke"}${topic}`]: fields },
    value,
  );
  return keys.get(issuer)?.sign(digest).serialized ?? digest;
}
