import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
import type { Metadata } from "next";
import { getAddress, isAddress } from "viem";
import { issuerNames } from "../../features/control/issuerNames.ts";
import { LookUpForm } from "../../features/control/LookUpForm.tsx";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { ControlPage } from "../../features/walletPages.tsx";

export const metadata: Metadata = { title: "Check control of a DID" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Shows whether an account controls a DID (`?did=…&account=…`), or a form that requests both. */
export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { did: typedDid, account: typedAccount } = await searchParams;
  const [did, account] = [getFirst(typedDid), getFirst(typedAccount)];
  const read = readQuery(did, account);
  return typeof read === "object" ? (
    <ControlPage connection={await serverConnection()} names={issuerNames()} {...read} />
  ) : (
    <LookUpForm did={did} account={account} problem={did === "" && account === "" ? undefined : read} />
  );
}

const getFirst = (value: string | string[] | undefined): string =>
  ((Array.isArray(value) ? value[0] : value) ?? "").trim();

/** Returns the DID and account of the query, or the reason they are invalid. */
function readQuery(did: string, account: string) {
  if (!isAddress(account, { strict: false })) return "Enter an address: 0x followed by 40 hex digits.";
  try {
    return { did: normalizeDid(did), account: getAddress(account.toLowerCase()) };
  } catch (error) {
    if (error instanceof InvalidDidError) return error.reason;
    throw error;
  }
}
