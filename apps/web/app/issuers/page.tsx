import type { Metadata } from "next";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { IssuerList } from "../../features/control/IssuerList.tsx";

export const metadata: Metadata = { title: "Issuers" };

/** The configuration is read when the page is asked for, not when it is built. */
export const dynamic = "force-dynamic";

/** Whose attestations this register takes. */
export default function IssuersPage() {
  return (
    <div className="stack2">
      <h1>Issuers</h1>
      <p className="prose">
        Issuers attest who controls a DID and what a record's dataHash is. The owner of the resolver adds
        them. A retired issuer attests no more, but its attestations remain. What a distrusted issuer stated
        since a given time is void.
      </p>
      <LedgerSection title="In the resolver" note="As the chain has them now.">
        <IssuerList />
      </LedgerSection>
    </div>
  );
}
