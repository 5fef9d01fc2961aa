import type { Metadata } from "next";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { IssuerList } from "../../features/control/issuers.tsx";

export const metadata: Metadata = { title: "Issuers" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

/** Shows the issuers whose attestations this registry accepts. */
export default function IssuersPage() {
  return (
    <div className="stack2">
      <h1>Issuers</h1>
      <p className="prose">
        Issuers attest who controls a DID and which document a record's dataHash stands for. The resolver's
        owner adds them. A retired issuer can't attest any more, but its existing attestations stay valid
        until they expire or are revoked. Statements by a distrusted issuer are void from a given time on.
      </p>
      <LedgerSection title="Issuers in the resolver" note="Current state on the chain.">
        <IssuerList />
      </LedgerSection>
    </div>
  );
}
