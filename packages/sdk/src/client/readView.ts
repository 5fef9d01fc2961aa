import { toAppRegistryError } from "../errors/toAppRegistryError.ts";
import { callView } from "./callView.ts";
import { explainNotRegistered } from "./notRegistered.ts";

/** Calls a view function like {@link callView}. If the DID has no such record, the error lists what is registered. */
export const readView: typeof callView = async (context, contract, functionName, args, at) => {
  try {
    return await callView(context, contract, functionName, args, at);
  } catch (error) {
    throw await explainNotRegistered(context, args as readonly unknown[], toAppRegistryError(error), at);
  }
};
