import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import { id, type TypedDataField } from "ethers";
import { network } from "hardhat";
import type { IResolver, ResolverWithStore } from "../../packages/sdk/generated/ethers/index.ts";

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;
export const MATURATION = 48 * HOUR;

/** keccak256 of the DID that the tests are about, of another one, and of two documents. */
export const didHash = id("did:web:example.com");
export const otherDidHash = id("did:web:example.org");
export const dataHash = id('{"name":"Example"}');
export const otherDataHash = id('{"name":"Other"}');

export type Signer = HardhatEthersSigner;

type EightSigners = [Signer, Signer, Signer, Signer, Signer, Signer, Signer, Signer];

/** A chain of its own with a resolver that knows three issuers. */
export async function createResolverSuite() {
  const { ethers, networkHelpers } = await network.create();
  const { time, loadFixture } = networkHelpers;

  /** Sets the time of the next block and of every call until then. */
  const at = (timestamp: number) => time.increaseTo(timestamp);

  async function deployResolver() {
    const signers = await ethers.getSigners();
    const [owner, issuer, issuer2, issuer3, first, second, third, stranger] = signers as EightSigners;
    const resolver: ResolverWithStore = await ethers.deployContract("ResolverWithStore", [
      owner.address,
      MATURATION,
    ]);
    for (const { address } of [issuer, issuer2, issuer3]) await resolver.addIssuer(address);

    /** Attests `controller` and returns the time of the block. */
    async function attest(by: Signer, controller: Signer, expiresAt = 0): Promise<number> {
      await resolver.connect(by).attestDID(didHash, controller.address, expiresAt);
      return time.latest();
    }
    const counts = (controller: Signer) => resolver.checkDID(didHash, controller.address);

    /** A DID with a first controller and a second one who has waited; returns the time now. */
    async function claimWithTwo(): Promise<number> {
      await attest(issuer, first);
      await attest(issuer, second);
      await time.increase(MATURATION);
      return time.latest();
    }
    return {
      ...{ resolver, owner, issuer, issuer2, issuer3, first, second, third, stranger },
      ...{ attest, counts, claimWithTwo },
    };
  }
  return { ethers, time, at, networkHelpers, deployResolver, load: () => loadFixture(deployResolver) };
}

const common = "address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce";
const members = {
  AttestDID: "bytes32 didHash,address controller,uint64 expiresAt",
  RevokeDID: "bytes32 didHash,address controller",
  AttestDataHash: "bytes32 didHash,bytes32 dataHash,uint64 expiresAt",
  RevokeDataHash: "bytes32 didHash,bytes32 dataHash",
} as const;

/** The four statements that an issuer may sign. */
export type StatementType = keyof typeof members;

export interface SignOptions {
  resolver: ResolverWithStore;
  /** Whose key signs. */
  signer: Signer;
  type: StatementType;
  /** The statement without what every signature carries. */
  statement: Record<string, unknown>;
  /** Fields that differ from a signature that is made now for an hour by `signer` under its epoch. */
  fields: Omit<IResolver.IssuerSignatureStruct, "signature" | "issuer"> & { issuer?: string };
  chainId?: number;
  verifyingContract?: string;
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
    chainId: options.chainId ?? 31337,
    verifyingContract: options.verifyingContract ?? (await resolver.getAddress()),
  };
  const signature = await signer.signTypedData(domain, types, { ...statement, ...fields });
  return { ...fields, signature };
}
