import type { Address, ContractFunctionReturnType } from "viem";
import type { resolverAbi } from "../../abi/index.ts";
import { type BlockParameter, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";
import { toUnixTime } from "../times.ts";

/** The name of each issuer status, in the order of the resolver's values. */
export const issuerStatuses = ["unknown", "active", "retired", "distrusted"] as const;

/**
 * What an issuer may do. An `active` one attests and revokes, and a `retired` one only revokes. What a `distrusted` one
 * stated since a given time is void. An `unknown` one was never added.
 */
export type IssuerStatus = (typeof issuerStatuses)[number];

/** What the resolver's owner decided about an issuer. Times are Unix seconds. */
export type IssuerState = {
  issuer: Address;
  status: IssuerStatus;
  /** Undefined for an unknown one. */
  addedAt: number | undefined;
  /** Since when it is distrusted, 0 for always; undefined for all others. */
  distrustedSince: number | undefined;
  /** When its seat can be given to another issuer, 0 for immediately; undefined while it is active. */
  seatFreeAt: number | undefined;
};

type RawIssuer = ContractFunctionReturnType<typeof resolverAbi, "view", "getIssuer">;

function toIssuerState({ issuer, ...raw }: RawIssuer): IssuerState {
  const status = issuerStatuses[raw.status] ?? "unknown";
  const distrustedSince = status === "distrusted" ? Number(raw.distrustedSince) : undefined;
  const hasStopped = status === "retired" || status === "distrusted";
  const seatFreeAt = hasStopped ? Number(raw.seatFreeAt) : undefined;
  return { issuer, status, addedAt: toUnixTime(raw.addedAt), distrustedSince, seatFreeAt };
}

/**
 * Reads what the resolver's owner decided about an issuer.
 *
 * @example
 * const { status } = await client.getIssuer(issuerAccount.address);
 * status; // "active"
 */
export const getIssuer = async (
  context: ClientContext,
  issuer: Address,
  at?: BlockParameter,
): Promise<IssuerState> =>
  toIssuerState(await readView(context, resolverContract(context), "getIssuer", [issuer], at));

/**
 * Reads the issuers that have a seat, whatever their status; at most 16. What any other issuer stated is void.
 *
 * @example
 * const issuers = await client.getIssuers();
 * const active = issuers.filter(({ status }) => status === "active");
 */
export const getIssuers = async (context: ClientContext, at?: BlockParameter): Promise<IssuerState[]> =>
  (await readView(context, resolverContract(context), "getIssuers", [], at)).map(toIssuerState);
