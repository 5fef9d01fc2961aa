import { type Operation, startChange } from "@app-registry/sdk";

/** Starts a change of a record or of control; undefined while another one is not finished, or the wallet can't sign. */
export type Begin = ((operation: Operation) => void) | undefined;

/** A change that ends when the index has it too, because the page lists what the index names. */
export const changeOf = (change: Omit<Parameters<typeof startChange>[0], "stages">): Operation =>
  startChange({ ...change, stages: ["simulate", "sign", "receipt", "index"] });
