import { type Abi, type Hex, keccak256, stringToBytes } from "viem";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "./abi/index.ts";
import type { Deployment } from "./deployment.ts";
import { AppRegistryError } from "./errors/appRegistryError.ts";

type Contract = keyof Deployment["contracts"];

const abis: Record<Contract, Abi> = {
  AppRegistry: appRegistryAbi,
  AppMetadata: appMetadataAbi,
  ResolverWithStore: resolverAbi,
};

const hashes: Partial<Record<Contract, Hex>> = {};

/** keccak256 of the JSON text of a contract's ABI, as this package has it. */
export function abiHash(contract: Contract): Hex {
  hashes[contract] ??= keccak256(stringToBytes(JSON.stringify(abis[contract])));
  return hashes[contract];
}

/** The contracts of a deployment are not those that this version of the package calls. */
export class AbiMismatchError extends AppRegistryError {
  override readonly name = "AbiMismatchError";
  /** The contracts whose ABI is another one. */
  readonly contracts: readonly string[];

  constructor(contracts: readonly string[]) {
    super(
      `This deployment has another ABI of ${contracts.join(" and ")}: use the version of App Registry that deployed it, or deploy the contracts again.`,
      { docsPath: "/sdk#deployment" },
    );
    this.contracts = contracts;
  }
}

/** @throws {AbiMismatchError} when the deployment is of contracts with another ABI than this package has. */
export function requireSameAbi({ contracts }: Pick<Deployment, "contracts">): void {
  const names = Object.keys(abis) as Contract[];
  const others = names.filter((name) => contracts[name].abiHash !== abiHash(name));
  if (others.length > 0) throw new AbiMismatchError(others);
}
