import type { ContractErrorText } from "./contractErrorText.ts";
import { inheritedErrorTexts } from "./inheritedErrorTexts.ts";
import { registryErrorTexts } from "./registryErrorTexts.ts";
import { resolverErrorTexts } from "./resolverErrorTexts.ts";

/** Messages of every custom error of the three contracts, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...registryErrorTexts,
  ...resolverErrorTexts,
  ...inheritedErrorTexts,
};
