import { getSite } from "@app-registry/outbound/site";
import { type CanonicalDid, type Fact, parseVersion, type VerificationReport } from "@app-registry/sdk";
import { getLatestBlockNumber, originFact } from "@app-registry/sdk/internal";
import { useQuery } from "@tanstack/react-query";
import { FactList } from "../../../components/record/facts.tsx";
import { readServiceMetadata } from "../../../lib/service/serviceMetadata.ts";
import { ConnectSection } from "../../service/ConnectSection.tsx";
import { createLinkResolver } from "../../service/links.tsx";
import { OffersSection } from "../../service/OffersSection.tsx";
import { ProvenHead } from "../../service/ProvenHead.tsx";
import { ServiceHead } from "../../service/ServiceHead.tsx";
import page from "../../service/service.module.css";
import { useRegistryClient, useRegistryConnection, useWallet } from "../../wallet/useRegistryClient.ts";
import { toControlFact } from "../control/controlState.ts";
import { getStatusToSet } from "../draft/publication.ts";
import { useWizard } from "../WizardContext.tsx";

const createPendingFact = (reason: string): Fact => ({ outcome: "unknown", reason, evidence: {} });

/** Facts that can only be checked after publishing. */
const pendingFacts = {
  record: createPendingFact("Whether the registry has this version."),
  content: createPendingFact("Whether the document matches the hash you signed."),
  attested: createPendingFact("The issuer hashes the document and attests the result."),
};

/**
 * Previews the service's page with the page's own components over the draft. Facts that need publication are pending.
 */
export function PagePreview({ did }: { did: CanonicalDid }) {
  const { draft, registered, control: checked } = useWizard();
  const { guardPackage, publicUrl } = useRegistryConnection();
  const { address } = useWallet();
  const { state } = checked;
  const control = toControlFact(state, address);
  const origin = useOrigin(did, control);
  const facts = { ...pendingFacts, control, origin };
  const report: Pick<VerificationReport, "did" | "facts"> = { did, facts };
  const metadata = readServiceMetadata(draft.metadata);
  const resolveLink = createLinkResolver(report);
  const version = parseVersion(draft.version);
  const record = { did, version };
  const status = getStatusToSet(draft, registered) ?? registered?.record?.status ?? 0;
  return (
    <figure className="box" style={{ marginTop: 24, background: "var(--paper)" }}>
      <figcaption className="headed small soft">
        Preview of the service's page, without its pictures
      </figcaption>
      <div style={{ paddingTop: 16 }}>
        <ProvenHead
          did={did}
          control={control}
          level="p"
          {...(control.outcome === "unknown" && {
            pending: state.kind === "waits" ? "; control not in effect yet" : "; control not checked yet",
          })}
        />
        <div className={page.top}>
          <ServiceHead
            record={record}
            status={status}
            metadata={metadata}
            sharesName={false}
            placeOf={resolveLink}
          />
          <div style={{ gridArea: "use" }}>
            <ConnectSection
              {...{ record, metadata, report, placeOf: resolveLink, publicUrl, guardPackage }}
            />
          </div>
          <div style={{ gridArea: "facts" }}>
            <section className={`box ${page.sheet}`} aria-label="Facts that will be checked">
              <h2 className="subtitle">Verification</h2>
              <FactList facts={facts} pending={pendingFacts} />
            </section>
          </div>
          <div style={{ gridArea: "offers" }}>
            <OffersSection metadata={metadata} placeOf={resolveLink} />
          </div>
        </div>
      </div>
    </figure>
  );
}

const asking = createPendingFact("Checking the hosts on the chain…");

/** Checks if the draft's URLs belong to the DID. Only URLs on other hosts require chain reads. */
function useOrigin(did: CanonicalDid, control: Fact): Fact {
  const { draft } = useWizard();
  const client = useRegistryClient();
  const { metadata } = draft;
  const { data, isError } = useQuery({
    queryKey: ["origin", client.deployment.chainId, did, metadata, control],
    queryFn: async () => {
      const blockNumber = await getLatestBlockNumber(client);
      return originFact({ client, target: { did }, metadata, control, siteOf: getSite, blockNumber });
    },
    retry: false,
  });
  if (isError) return { ...asking, reason: "Couldn't reach the chain." };
  return data ?? asking;
}
