import type {
  AppRegistryClient,
  Attestation,
  BlockParameter,
  CanonicalDid,
  PreparedCall,
} from "@app-registry/sdk";
import type { Hex } from "viem";
import type { AttestationSchema } from "./verifyAndAttestSchema.ts";

/** Statement to attest. `subject` is the wallet that controls the DID, or the dataHash of its record. */
export type Statement = { schema: AttestationSchema; did: CanonicalDid; subject: Hex };

type About = Omit<Statement, "schema">;

interface StatementKind {
  /** Name of the subject in calls, events and signatures. */
  name: "controller" | "dataHash";
  /** Solidity type of the subject. */
  type: "address" | "bytes32";
  /** Name of the signed type (EIP-712). */
  primaryType: "AttestDID" | "AttestDataHash";
  /** Event of an attestation. */
  attested: "DIDAttested" | "DataHashAttested";
  /** Reads the attestations of all issuers. */
  read(client: AppRegistryClient, about: About & BlockParameter): Promise<Attestation[]>;
  prepareAttest(client: AppRegistryClient, about: About): PreparedCall;
  prepareRevoke(client: AppRegistryClient, about: About): PreparedCall;
}

/** Names, reads and calls of each kind of statement. */
export const statementKinds: Record<AttestationSchema, StatementKind> = {
  "did-ownership": {
    ...{ name: "controller", type: "address", primaryType: "AttestDID", attested: "DIDAttested" },
    read: (client, { subject, ...at }) => client.getDidAttestations({ ...at, controller: subject }),
    prepareAttest: (client, { did, subject }) => client.prepareAttestDid({ did, controller: subject }),
    prepareRevoke: (client, { did, subject }) => client.prepareRevokeDid({ did, controller: subject }),
  },
  "data-hash": {
    ...{ name: "dataHash", type: "bytes32", primaryType: "AttestDataHash", attested: "DataHashAttested" },
    read: (client, { subject, ...at }) => client.getDataHashAttestations({ ...at, dataHash: subject }),
    prepareAttest: (client, { did, subject }) => client.prepareAttestDataHash({ did, dataHash: subject }),
    prepareRevoke: (client, { did, subject }) => client.prepareRevokeDataHash({ did, dataHash: subject }),
  },
};
