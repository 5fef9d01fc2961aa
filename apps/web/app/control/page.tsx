import { InvalidDidError, normalizeDid } from "@app-registry/sdk";
import type { Metadata } from "next";
import Link from "next/link";
import { type Address, getAddress, isAddress } from "viem";
import { Button, TextInput } from "../../components/controls/controls.tsx";
import { DidText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { DidControllers } from "../../features/control/ControlSection.tsx";
import { issuerNames, readLatestControl } from "../../features/control/readControl.ts";
import { listHref, type PageSearchParams, readParam } from "../../features/explore/listQuery.ts";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { ControlPage } from "../walletPages.tsx";

export const metadata: Metadata = { title: "Check control of a DID" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

/** Shows who controls a DID (`?did=…`), or one account's control of it (`&account=…`). Without a DID, shows a form. */
export default async function Page({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const params = await searchParams;
  const [did, account] = [readParam(params.did), readParam(params.account)];
  const read = did === "" && account === "" ? undefined : readQuery(did, account);
  if (typeof read !== "object") {
    return (
      <div className="stack3">
        <h1>Check control of a DID</h1>
        <p className="prose">
          See who controls a DID, since when and until when, which issuers attest it, and which accounts wait
          for control or are blocked.
        </p>
        {read === undefined ? null : (
          <Problem title="Enter a DID, and an account if you want one" why={read} />
        )}
        <LookUpForm did={did} account={account} />
      </div>
    );
  }
  if (read.account !== undefined) {
    const { did, account } = read;
    return (
      <ControlPage connection={await serverConnection()} names={issuerNames()} did={did} account={account} />
    );
  }
  return <DidControlView did={read.did} />;
}

/** Shows who controls a DID, and the form. */
function DidControlView({ did }: { did: string }) {
  return (
    <div className="stack2">
      <h1>Control of a DID</h1>
      <p className="row">
        <DidText did={did} />
        <Link href={listHref({ did, status: "any" })} prefetch={false}>
          Records of this DID
        </Link>
      </p>
      <LedgerSection title="Accounts" note="Who controls the DID now, according to issuers.">
        <DidControllers did={did} reading={readLatestControl(did)} />
      </LedgerSection>
      <LedgerSection title="Check another" note="Another DID, or an account that isn't listed.">
        <LookUpForm did={did} account="" />
      </LedgerSection>
    </div>
  );
}

/** Returns the DID and account of the query, or the reason they are invalid. */
function readQuery(did: string, account: string): { did: string; account?: Address } | string {
  try {
    const found = { did: normalizeDid(did) };
    if (account === "") return found;
    if (!isAddress(account, { strict: false })) return "Enter an address: 0x followed by 40 hex digits.";
    return { ...found, account: getAddress(account.toLowerCase()) };
  } catch (error) {
    if (error instanceof InvalidDidError) return error.reason;
    throw error;
  }
}

/** Renders a form for a DID and, optionally, an account. */
function LookUpForm({ did, account }: { did: string; account: string }) {
  return (
    <form action="/control" className="stack2" style={{ maxWidth: 560 }}>
      <TextInput name="did" label="DID" defaultValue={did} placeholder="did:web:example.com" required />
      <TextInput name="account" label="Account (optional)" defaultValue={account} placeholder="0x…" />
      <div>
        <Button type="submit">Check control</Button>
      </div>
    </form>
  );
}
