import type { ContractErrorText } from "./contractErrorText.ts";
import { inheritedErrorTexts } from "./inheritedErrorTexts.ts";
import { registryErrorTexts } from "./registryErrorTexts.ts";
import { resolverErrorTexts } from "./resolverErrorTexts.ts";

/** Every custom error that a call of the three contracts can revert with, by name. */
export const contractErrorTexts: Readonly<Record<string, ContractErrorText>> = {
  ...registryErrorTexts,
  ...resolverErrorTexts,
  ...inheritedErrorTexts,
};
