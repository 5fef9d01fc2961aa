import type { Metadata } from "next";
import Link from "next/link";
import { permanentRedirect } from "next/navigation";
import { getAddress, isAddress } from "viem";
import { AddressText } from "../../../components/record/identifiers.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import type { PageSearchParams } from "../../../features/explore/listQuery.ts";
import { RecordsSection } from "../../../features/explore/RecordsSection.tsx";
import { readCursors } from "../../../features/explore/readCursors.ts";
import { searchServices } from "../../../features/explore/searchServices.ts";

export const metadata: Metadata = { title: "Account records" };

const PAGE_SIZE = 25;

/** Lists of the page, each with its search role. */
const sections = [
  {
    key: "held",
    role: "owner",
    title: "Held",
    note: "This account can transfer these records, but it can publish versions only while it controls their DIDs.",
    empty: "This account holds no records.",
  },
  {
    key: "minted",
    role: "minter",
    title: "Registered",
    note: "Records first registered by this account, whoever holds them now.",
    empty: "This account has registered no records.",
  },
] as const;

type PageProps = { params: Promise<{ address: string }>; searchParams: Promise<PageSearchParams> };

/**
 * Shows the records that an account holds and those that it registered, in two lists because records can be
 * transferred.
 */
export default async function Page({ params, searchParams }: PageProps) {
  const { address: typed } = await params;
  if (!isAddress(typed, { strict: false })) {
    return (
      <Problem
        level={1}
        tone="neutral"
        title="This link doesn't contain an account"
        why="Use an address: 0x followed by 40 hex digits."
        action={<Link href="/apps">Search the services</Link>}
      />
    );
  }
  const address = getAddress(typed.toLowerCase());
  if (typed !== address) permanentRedirect(`/owners/${address}`);
  const cursors = readCursors(
    await searchParams,
    sections.map(({ key }) => key),
  );
  const isFirst = Object.keys(cursors).length === 0;
  const shown = await Promise.all(
    sections
      .filter(({ key }) => isFirst || cursors[key] !== undefined)
      .map(async ({ key, role, ...section }) => {
        const cursor = cursors[key];
        const query = {
          [role]: address,
          status: "any" as const,
          limit: PAGE_SIZE,
          ...(cursor && { cursor }),
        };
        return { key, ...section, found: await searchServices(query) };
      }),
  );
  return (
    <div className="stack2">
      <h1>Account records</h1>
      <AddressText address={address} />
      {shown.map(({ key, ...section }) => (
        <RecordsSection
          key={key}
          {...section}
          nextHref={(cursor) => `/owners/${address}?${new URLSearchParams({ [key]: cursor })}`}
        />
      ))}
    </div>
  );
}
