import type { Address, ContractFunctionReturnType } from "viem";
import type { resolverAbi } from "../../abi/index.ts";
import { type BlockParameter, type ClientContext, resolverContract } from "../context.ts";
import { readView } from "../readView.ts";
import { toUnixTime } from "../times.ts";

/** Names of the issuer statuses, in the order of the resolver's values. */
export const issuerStatuses = ["unknown", "active", "retired", "distrusted"] as const;

/**
 * Status of an issuer. An `active` issuer attests and revokes; a `retired` one only revokes. Statements of a
 * `distrusted` issuer since a given time are void. An `unknown` issuer was never added.
 */
export type IssuerStatus = (typeof issuerStatuses)[number];

/** Issuer with the status that the resolver's owner gave it. Times are Unix seconds. */
export type IssuerState = {
  issuer: Address;
  status: IssuerStatus;
  /** Time at which it was added; `undefined` for an unknown issuer. */
  addedAt: number | undefined;
  /** Start of the distrust, 0 for always; `undefined` unless the issuer is distrusted. */
  distrustedSince: number | undefined;
  /** Time from which another issuer can take its seat, 0 for immediately; `undefined` while it is active or unknown. */
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
 * Reads the status of an issuer.
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
 * Reads the issuers that have a seat, in any status; at most 16. Statements of all other issuers are void.
 *
 * @example
 * const issuers = await client.getIssuers();
 * const active = issuers.filter(({ status }) => status === "active");
 */
export const getIssuers = async (context: ClientContext, at?: BlockParameter): Promise<IssuerState[]> =>
  (await readView(context, resolverContract(context), "getIssuers", [], at)).map(toIssuerState);
