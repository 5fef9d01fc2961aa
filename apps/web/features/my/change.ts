import { createCallOperation, type Operation } from "@app-registry/sdk";

/** Starts a change of a record or of control; undefined while another one is not finished, or the wallet can't sign. */
export type StartOperation = ((operation: Operation) => void) | undefined;

/** A change that ends when the index has it too, because the page lists what the index names. */
export const createIndexedChange = (
  change: Omit<Parameters<typeof createCallOperation>[0], "stages">,
): Operation => createCallOperation({ ...change, stages: ["simulate", "sign", "receipt", "index"] });
