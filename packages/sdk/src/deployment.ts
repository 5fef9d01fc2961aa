import { type Abi, type Hex, keccak256, stringToBytes } from "viem";
import * as z from "zod/mini";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "./abi/index.ts";
import { AppRegistryError } from "./errors/appRegistryError.ts";
import { checksummedAddressSchema, countSchema, describeIssue, hashSchema } from "./schemas.ts";

const contractSchema = z.object({
  address: checksummedAddressSchema,
  abiHash: hashSchema,
});

/**
 * Schema of `deployments/<chainId>.json`: the three contracts of one chain. `deployBlock` is the block that created the
 * first contract. `abiHash` is the result of `computeAbiHash`: keccak256 of the JSON text of the contract's ABI without
 * internal types, as the package exports it.
 */
export const deploymentSchema = z.object({
  chainId: z.int().check(z.positive()),
  network: z.string().check(z.minLength(1)),
  deployBlock: countSchema,
  contracts: z.object({
    AppRegistry: contractSchema,
    AppMetadata: contractSchema,
    ResolverWithStore: contractSchema,
  }),
  compiler: z.object({ version: z.string(), settings: z.record(z.string(), z.unknown()) }),
});

/** Deployment of the contracts. Every address is checksummed. */
export type Deployment = z.output<typeof deploymentSchema>;

/** Thrown when the file is not a valid deployment file. `problems` lists each wrong field. */
export class InvalidDeploymentError extends AppRegistryError {
  override readonly name = "InvalidDeploymentError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(`The deployment file is not valid: ${problems.join("; ")}.`, {
      action:
        "Deploy the contracts again, or point DEPLOYMENT_FILE at the deployments/<chainId>.json of your network.",
      docsPath: "/sdk#deployment",
      cause,
    });
    this.problems = problems;
  }
}

type Contract = keyof Deployment["contracts"];

/** ABI of each contract. */
export const abis = {
  AppRegistry: appRegistryAbi,
  AppMetadata: appMetadataAbi,
  ResolverWithStore: resolverAbi,
} as const satisfies Record<Contract, Abi>;

type AbiEvents<Entry> = Extract<Entry, { type: "event" }>;
type ContractsAbi = typeof appRegistryAbi | typeof appMetadataAbi | typeof resolverAbi;

const contractsAbi: readonly ContractsAbi[number][] = [...appRegistryAbi, ...appMetadataAbi, ...resolverAbi];

export const eventsAbi = contractsAbi.filter(
  (entry): entry is AbiEvents<ContractsAbi[number]> => entry.type === "event",
);

const hashes: Partial<Record<Contract, Hex>> = {};

/** Returns keccak256 of the JSON text of a contract's ABI, as this package has it. */
export function computeAbiHash(contract: Contract): Hex {
  hashes[contract] ??= keccak256(stringToBytes(JSON.stringify(abis[contract])));
  return hashes[contract];
}

/** Thrown when this version of the package does not match the contracts of a deployment. */
export class AbiMismatchError extends AppRegistryError {
  override readonly name = "AbiMismatchError";
  /** Contracts whose ABI differs. */
  readonly contracts: readonly string[];

  constructor(contracts: readonly string[]) {
    super(
      `The ABI of ${contracts.join(" and ")} in this deployment doesn't match this version of App Registry. Use the version that deployed it, or deploy the contracts again.`,
      { docsPath: "/sdk#deployment" },
    );
    this.contracts = contracts;
  }
}

/**
 * Checks that the contracts of a deployment have the ABI of this package.
 *
 * @throws {AbiMismatchError} when they have another one.
 */
export function requireSameAbi({ contracts }: Pick<Deployment, "contracts">): void {
  const names = Object.keys(abis) as Contract[];
  const others = names.filter((name) => contracts[name].abiHash !== computeAbiHash(name));
  if (others.length > 0) throw new AbiMismatchError(others);
}

/**
 * Reads a deployment from the JSON text of a deployment file, or from its parsed value.
 *
 * @param options.anyAbi True to also accept contracts with another ABI, which cannot be called.
 * @throws {InvalidDeploymentError} naming each wrong field.
 * @throws {AbiMismatchError} when the contracts have another ABI than this package.
 * @example
 * const deployment = parseDeployment(await (await fetch(`${baseUrl}/api/deployment`)).text());
 */
export function parseDeployment(json: unknown, options: { anyAbi?: boolean } = {}): Deployment {
  let value = json;
  if (typeof json === "string") {
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new InvalidDeploymentError(["it is not valid JSON"], cause);
    }
  }
  const parsed = deploymentSchema.safeParse(value, { error: describeIssue });
  if (parsed.success) {
    if (!options.anyAbi) requireSameAbi(parsed.data);
    return parsed.data;
  }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new InvalidDeploymentError(problems, parsed.error);
}
