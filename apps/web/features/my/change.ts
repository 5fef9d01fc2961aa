import { createCallOperation, type Operation } from "@app-registry/sdk";

/** Starts a change of a record or of control. Undefined while another change is running or the wallet can't sign. */
export type StartOperation = ((operation: Operation) => void) | undefined;

/** Creates a change that ends once the index contains it, because the page lists the index's records. */
export const createIndexedChange = (
  change: Omit<Parameters<typeof createCallOperation>[0], "stages">,
): Operation => createCallOperation({ ...change, stages: ["simulate", "sign", "receipt", "index"] });
