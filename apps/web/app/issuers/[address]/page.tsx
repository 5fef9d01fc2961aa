import { toAppRegistryError } from "@app-registry/sdk";
import type { Metadata } from "next";
import Link from "next/link";
import { permanentRedirect } from "next/navigation";
import { getAddress, isAddress } from "viem";
import { AddressText } from "../../../components/record/labels.tsx";
import { Problem } from "../../../components/record/Problem.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { Dates, IssuerAttestations, IssuerName, issuerWords } from "../../../features/control/issuers.tsx";
import { readIssuers } from "../../../features/control/readControl.ts";
import type { PageSearchParams } from "../../../features/explore/listQuery.ts";

export const metadata: Metadata = { title: "Issuer" };

type PageProps = { params: Promise<{ address: string }>; searchParams: Promise<PageSearchParams> };

const sections = [
  {
    of: "controllers",
    title: "Controllers",
    note: "Accounts that this issuer attests as controllers of a DID.",
  },
  { of: "hashes", title: "Hashes", note: "Metadata that this issuer attests, by dataHash." },
] as const;

/** Shows one issuer: its status in the resolver, its name by this registry's operator, and its attestations. */
export default async function Page({ params, searchParams }: PageProps) {
  const { address: typed } = await params;
  const address = isAddress(typed, { strict: false }) ? getAddress(typed.toLowerCase()) : undefined;
  if (address !== undefined && typed !== address) permanentRedirect(`/issuers/${address}`);
  const issuers = await readIssuers().catch((error: unknown) => toAppRegistryError(error));
  if (!Array.isArray(issuers)) {
    return <Problem level={1} tone="unknown" title="Couldn't load this issuer" why={issuers.shortMessage} />;
  }
  const issuer = issuers.find((known) => known.issuer === address);
  if (address === undefined || issuer === undefined) {
    return (
      <Problem
        level={1}
        tone="neutral"
        title="This address is not an issuer"
        why="The resolver has never authorised this address, so its statements have no effect in this registry."
        action={<Link href="/issuers">All issuers</Link>}
      />
    );
  }
  const query = await searchParams;
  const isFirst = sections.every(({ of }) => query[of] === undefined);
  return (
    <div className="stack2">
      <h1>Issuer</h1>
      <div>
        <AddressText address={address} />
        <IssuerName address={address} />
        <p>
          {issuerWords[issuer.status]}: <Dates issuer={issuer} />
        </p>
      </div>
      {sections.map(({ of, title, note }) =>
        isFirst || query[of] !== undefined ? (
          <LedgerSection key={of} title={title} note={note}>
            <IssuerAttestations issuer={address} of={of} cursor={[query[of]].flat()[0]} />
          </LedgerSection>
        ) : null,
      )}
    </div>
  );
}
