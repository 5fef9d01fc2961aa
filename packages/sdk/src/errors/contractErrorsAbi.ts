import { type Abi, toFunctionSelector } from "viem";
import { appMetadataAbi, appRegistryAbi, resolverAbi } from "../abi/index.ts";

/** ABI entry of a custom error. */
export type AbiError = Extract<Abi[number], { type: "error" }>;

const isError = (entry: Abi[number]): entry is AbiError => entry.type === "error";

/** Returns the signature of an error, from which its selector is computed: its name and argument types. */
const formatErrorSignature = ({ name, inputs }: AbiError) =>
  `${name}(${inputs.map(({ type }) => type).join(",")})`;

const all: readonly Abi[number][] = [...appRegistryAbi, ...appMetadataAbi, ...resolverAbi];

/**
 * Custom errors of the three contracts, each once. A call of one contract can revert with an error of another (`mint`
 * with the metadata store's `MetadataTooLarge`), so errors are decoded against all of them.
 */
export const contractErrorsAbi: readonly AbiError[] = [
  ...new Map(
    all.filter(isError).map((entry) => [toFunctionSelector(formatErrorSignature(entry)), entry]),
  ).values(),
];
