import type { Metadata } from "next";
import Link from "next/link";
import { permanentRedirect } from "next/navigation";
import { getAddress, isAddress } from "viem";
import { AddressText } from "../../../components/record/identifiers.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import type { PageSearchParams } from "../../../features/explore/listQuery.ts";
import { listRecords } from "../../../features/publisher/findByPublisher.ts";
import { RecordsSection } from "../../../features/publisher/RecordsSection.tsx";
import { readCursors } from "../../../features/publisher/readCursors.ts";

export const metadata: Metadata = { title: "Records of an account" };

type PageProps = { params: Promise<{ address: string }>; searchParams: Promise<PageSearchParams> };

/** What an account holds and what it minted, in two lists: a record that was transferred stands in one of them. */
export default async function Page({ params, searchParams }: PageProps) {
  const { address: typed } = await params;
  if (!isAddress(typed, { strict: false })) {
    return (
      <Problem
        level={1}
        tone="neutral"
        title="This address names no account"
        why="An account is an address: 0x and 40 hex digits."
        action={<Link href="/apps">Search the services</Link>}
      />
    );
  }
  const address = getAddress(typed.toLowerCase());
  if (typed !== address) permanentRedirect(`/owners/${address}`);
  const cursors = readCursors(await searchParams, ["held", "minted"]);
  const shows = (section: keyof typeof cursors) =>
    Object.keys(cursors).length === 0 || cursors[section] !== undefined;
  const [held, minted] = await Promise.all([
    listRecords({ owner: address }, cursors.held),
    listRecords({ minter: address }, cursors.minted),
  ]);
  const next = (section: string) => (cursor: string) =>
    `/owners/${address}?${new URLSearchParams({ [section]: cursor })}`;
  return (
    <div className="stack2">
      <h1>Records of an account</h1>
      <AddressText address={address} />
      {shows("held") ? (
        <RecordsSection
          title="Holds"
          note="It may transfer these and, while it controls their DIDs, publish versions."
          found={held}
          nextHref={next("held")}
          empty="It holds no record."
        />
      ) : null}
      {shows("minted") ? (
        <RecordsSection
          title="Minted"
          note="It registered these, whoever holds them now."
          found={minted}
          nextHref={next("minted")}
          empty="It minted no record."
        />
      ) : null}
    </div>
  );
}
