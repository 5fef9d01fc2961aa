import { issuerStatuses } from "@app-registry/sdk/internal";
import type { IResolver } from "../../packages/sdk/generated/ethers/ResolverWithStore.ts";

/** Unix seconds as a person reads them. */
export const isoTime = (seconds: bigint): string =>
  new Date(Number(seconds) * 1_000).toISOString().replace(".000Z", "Z");

/** One line for what the owner of a resolver made of an issuer. */
export function issuerLine({
  issuer,
  status,
  addedAt,
  distrustedSince,
  seatFreeAt,
}: IResolver.IssuerViewStructOutput): string {
  const word = issuerStatuses[Number(status)] ?? issuerStatuses[0];
  if (word === "active") return `${issuer}  active since ${isoTime(addedAt)}`;
  const since = word === "distrusted" ? ` since ${isoTime(distrustedSince)}` : "";
  const seat = seatFreeAt === 0n ? "its seat is free" : `its seat is free from ${isoTime(seatFreeAt)}`;
  return `${issuer}  ${word}${since}; ${seat}`;
}
