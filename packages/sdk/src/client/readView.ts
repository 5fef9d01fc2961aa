import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { callView } from "./callView.ts";
import { explainNotRegistered } from "./notRegistered.ts";

/** As {@link callView}; if the DID has no such record, the error says what is registered. */
export const readView: typeof callView = async (context, contract, functionName, args, at) => {
  try {
    return await callView(context, contract, functionName, args, at);
  } catch (error) {
    throw await explainNotRegistered(context, args as readonly unknown[], toAppRegistryError(error), at);
  }
};
