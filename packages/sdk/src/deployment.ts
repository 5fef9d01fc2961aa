import { getAddress } from "viem";
import * as z from "zod";
import { abiHashes } from "./abi/index.ts";
import { AppRegistryError } from "./errors/appRegistryError.ts";
import { addressSchema, hashSchema } from "./search/hexSchemas.ts";

const contractSchema = z.object({
  address: addressSchema.transform((value) => getAddress(value)),
  abiHash: hashSchema,
});

/**
 * The content of `deployments/<chainId>.json`: where the three contracts stand on one chain.
 * `deployBlock` is the block of the first contract's creation; `abiHash` is keccak256 of the ABI's JSON text, as in
 * `abiHashes`.
 */
export const deploymentSchema = z.object({
  chainId: z.int().positive(),
  network: z.string().min(1),
  deployBlock: z.int().nonnegative(),
  contracts: z.object({
    AppRegistry: contractSchema,
    AppMetadata: contractSchema,
    ResolverWithStore: contractSchema,
  }),
  compiler: z.object({ version: z.string(), settings: z.record(z.string(), z.unknown()) }),
});

/** One deployment of the contracts; every address is checksummed. */
export type Deployment = z.output<typeof deploymentSchema>;

/** The deployment file is not one. `problems` lists each wrong field. */
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

/** The contracts of a deployment are not those that this version of the package calls. */
export class AbiMismatchError extends AppRegistryError {
  override readonly name = "AbiMismatchError";
  /** The contracts whose ABI is another one. */
  readonly contracts: readonly string[];

  constructor(contracts: readonly string[]) {
    super(
      `${contracts.join(" and ")} of this deployment have another ABI than this version of App Registry: use the version that deployed them, or deploy the contracts again.`,
      { docsPath: "/sdk#deployment" },
    );
    this.contracts = contracts;
  }
}

const contractNames = ["AppRegistry", "AppMetadata", "ResolverWithStore"] as const;

/** @throws {AbiMismatchError} when the deployment is of contracts with another ABI than this package has. */
export function requireSameAbi({ contracts }: Pick<Deployment, "contracts">): void {
  const others = contractNames.filter((name) => contracts[name].abiHash !== abiHashes[name]);
  if (others.length > 0) throw new AbiMismatchError(others);
}

/**
 * Reads a deployment from the JSON text of a deployment file, or from its parsed value.
 *
 * @param options.anyAbi Also read one of contracts with another ABI, which can't be called.
 * @throws {InvalidDeploymentError} naming each wrong field, {@link AbiMismatchError}.
 * @example
 * const deployment = parseDeployment(await (await fetch(`${baseUrl}/api/deployment`)).text());
 */
export function parseDeployment(json: unknown, { anyAbi = false } = {}): Deployment {
  let value = json;
  if (typeof json === "string") {
    try {
      value = JSON.parse(json);
    } catch (cause) {
      throw new InvalidDeploymentError(["it is not JSON"], cause);
    }
  }
  const parsed = deploymentSchema.safeParse(value);
  if (parsed.success) {
    if (!anyAbi) requireSameAbi(parsed.data);
    return parsed.data;
  }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`);
  throw new InvalidDeploymentError(problems, parsed.error);
}
