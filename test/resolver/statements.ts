import type { TypedDataDomain, TypedDataField } from "ethers";
import type { IResolver, ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";
import { dataHash, didHash, HOUR, type ResolverSuite, type Signer } from "./fixture.ts";

const common = "address issuer,uint64 statedAt,uint64 deadline";
const members = {
  AttestDID: "bytes32 didHash,address controller,uint64 expiresAt",
  RevokeDID: "bytes32 didHash,address controller",
  AttestDataHash: "bytes32 didHash,bytes32 dataHash,uint64 expiresAt",
  RevokeDataHash: "bytes32 didHash,bytes32 dataHash",
} as const;

/** Kind of statement that an issuer may sign. */
export type StatementType = keyof typeof members;

/** Signed fields that all statements have. `issuer` defaults to the signer. */
export type SignatureFields = Omit<IResolver.IssuerSignatureStruct, "signature" | "issuer"> & {
  issuer?: string;
};

export interface SignOptions {
  resolver: ResolverWithStore;
  /** Account that signs. */
  signer: Signer;
  type: StatementType;
  /** Statement without the fields in `SignatureFields`. */
  statement: Record<string, unknown>;
  fields: SignatureFields;
  /** Overrides fields of the resolver's domain. */
  domain?: TypedDataDomain;
}

/** Signs a statement by EIP-712. */
export async function signStatement(options: SignOptions): Promise<IResolver.IssuerSignatureStruct> {
  const { resolver, signer, type, statement } = options;
  const fields = { ...options.fields, issuer: options.fields.issuer ?? signer.address };
  const types: Record<string, TypedDataField[]> = {
    [type]: `${members[type]},${common}`.split(",").map((member) => {
      const [fieldType = "", name = ""] = member.split(" ");
      return { type: fieldType, name };
    }),
  };
  const domain = {
    name: "App Registry Resolver",
    version: "1",
    chainId: 31337,
    verifyingContract: await resolver.getAddress(),
    ...options.domain,
  };
  const signature = await signer.signTypedData(domain, types, { ...statement, ...fields });
  return { ...fields, signature };
}

/** Kinds of statement, and the event that each emits. */
export const statements: StatementType[] = ["AttestDID", "RevokeDID", "AttestDataHash", "RevokeDataHash"];
export const statementEvents = {
  AttestDID: "DIDAttested",
  RevokeDID: "DIDRevoked",
  AttestDataHash: "DataHashAttested",
  RevokeDataHash: "DataHashRevoked",
} as const;

/**
 * Prepares a statement of `type` about one pair, for the first issuer to sign and a stranger to submit. Attests the
 * pair first if the statement is a revocation.
 */
export async function setupStatement({ time, at, load }: ResolverSuite, type: StatementType) {
  const isRevocation = type.startsWith("Revoke");
  const isOfDID = type.endsWith("DID");
  const suite = await load();
  const { resolver, issuer, first, stranger } = suite;
  if (isRevocation) {
    await (isOfDID
      ? resolver.connect(issuer).attestDID(didHash, first.address, 0)
      : resolver.connect(issuer).attestDataHash(didHash, dataHash, 0));
  }
  const statedAt = (await time.latest()) + 1;
  await at(statedAt);

  const subject = isOfDID ? { controller: first.address } : { dataHash };
  const statement = { didHash, ...subject, ...(isRevocation ? {} : { expiresAt: 0 }) };
  const fields = { statedAt, deadline: statedAt + HOUR };
  /** Signs as `issuer` with a deadline in an hour, unless `changes` overrides it. */
  const sign = (changes: Partial<Omit<SignOptions, "fields">> & { fields?: Partial<SignatureFields> } = {}) =>
    signStatement({
      ...{ resolver, signer: issuer, type, statement },
      ...changes,
      fields: { ...fields, ...changes.fields },
    });
  /** Submits a signature as a stranger. */
  const carry = (signature: IResolver.IssuerSignatureStruct) => {
    const carrying = resolver.connect(stranger);
    if (type === "AttestDID") {
      const attestation = { didHash, controller: first.address, expiresAt: 0 };
      return carrying.attestDIDBySignature(attestation, signature);
    }
    if (type === "AttestDataHash") {
      return carrying.attestDataHashBySignature({ didHash, dataHash, expiresAt: 0 }, signature);
    }
    if (type === "RevokeDID") return carrying.revokeDIDBySignature(didHash, first.address, signature);
    return carrying.revokeDataHashBySignature(didHash, dataHash, signature);
  };
  const isLive = () =>
    isOfDID
      ? resolver.checkDID(didHash, first.address)
      : resolver.checkDataHashAttestation(didHash, dataHash);
  return { ...suite, isRevocation, isOfDID, sign, carry, isLive, statedAt };
}
