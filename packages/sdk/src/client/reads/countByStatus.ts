import { type BlockParameter, type ClientContext, registryContract } from "../context.ts";
import { readView } from "../readView.ts";
import type { AppStatus } from "../records.ts";

/**
 * Returns the number of records with a status.
 *
 * @example
 * const active = await client.countByStatus({ status: 0 });
 */
export const countByStatus = (
  context: ClientContext,
  { status, ...at }: BlockParameter & { status: AppStatus },
): Promise<bigint> => readView(context, registryContract(context), "countByStatus", [status], at);
