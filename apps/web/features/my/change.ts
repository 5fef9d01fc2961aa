import { createCallOperation, type Operation } from "@app-registry/sdk";
import { createContext, type ReactNode, use } from "react";

/** Change of a record or of control. The page runs one at a time, at the place where its action was pressed. */
export interface PageChange {
  /** False while a change is running, was sent, or the wallet can't sign. */
  isFree: boolean;
  /** Shows a change with its consequence. The wallet opens once the user continues. */
  open: (operation: Operation, place: string) => void;
  /** Starts a change whose consequence its form has shown. */
  start: (operation: Operation, place: string) => void;
  /** Place of `view`. */
  place: string | undefined;
  view: ReactNode;
}

const never = () => undefined;
const none: PageChange = { isFree: false, open: never, start: never, place: undefined, view: null };

export const ChangeContext = createContext(none);

/** Renders the page's change if its action was pressed at this place. */
export function ChangeAt({ place }: { place: string }): ReactNode {
  const change = use(ChangeContext);
  return change.place === place ? change.view : null;
}

/** Creates a change that ends once the index contains it, because the page lists the index's records. */
export const createIndexedChange = (
  change: Omit<Parameters<typeof createCallOperation>[0], "stages">,
): Operation => createCallOperation({ ...change, stages: ["simulate", "sign", "receipt", "index"] });
