import "server-only";
import { formatVersion, getProvenSubject } from "@app-registry/sdk";
import { headers } from "next/headers";
import Link from "next/link";
import { Suspense } from "react";
import { FactList } from "../../components/record/facts.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { verifyOnChain } from "../../lib/service/verifyService.ts";
import { issuerNames } from "../control/readControl.ts";
import { listHref } from "../explore/listQuery.ts";
import { ServiceList } from "../explore/ServiceList.tsx";
import { searchServices } from "../explore/searchServices.ts";
import { type LoadedService, loadRequestedService } from "./loadService.ts";
import { parseServicePath, rawPathHeader } from "./servicePath.ts";

/** A hidden service, with the requested path. */
type Hidden = { did: string; reason: string; path: string };

/** Returns the hidden service of the request's path, or `undefined` if the path names another service. */
export async function requestedHidden(): Promise<Hidden | undefined> {
  const path = (await headers()).get(rawPathHeader) ?? "";
  const parsed = parseServicePath(path);
  const reason = parsed.kind === "invalid" ? undefined : registry().hidden.reasonOf(parsed.did);
  return parsed.kind === "invalid" || reason === undefined ? undefined : { did: parsed.did, reason, path };
}

/** Replaces the page of a hidden service with the operator's reason. Shows facts from the chain on request. */
export async function HiddenService({ hidden, showsFacts }: { hidden: Hidden; showsFacts: boolean }) {
  const { did, reason, path } = hidden;
  return (
    <div className="stack2">
      <Problem
        level={1}
        tone="neutral"
        title="The operator of this registry has hidden this service"
        why={
          <>
            <span className="anywhere">
              Services registered under{" "}
              <bdi dir="ltr" translate="no">
                {getProvenSubject(did).name}
              </bdi>{" "}
              do not appear in lists here.
            </span>{" "}
            The operator's reason: <bdi>{reason}</bdi>
          </>
        }
        action={showsFacts ? undefined : <a href={`${path}?facts=chain`}>Show the on-chain record</a>}
      />
      {showsFacts ? <ChainFacts /> : null}
    </div>
  );
}

/** Shows the facts that the chain alone proves, without any claim. */
async function ChainFacts() {
  const loaded = await loadRequestedService();
  if (!loaded.ok) return <Problem {...loaded.problem} />;
  const { did, version } = loaded.service.record;
  const { facts } = await verifyOnChain({ did, version: formatVersion(version) });
  return <FactList label="Facts" facts={facts} names={issuerNames()} />;
}

type ServiceProblemProps = { loaded: Extract<LoadedService, { ok: false }> };

/** Replaces the page of a missing or unreadable service with the reason and next steps. */
export function ServiceProblem({ loaded: { problem, did, missing, address } }: ServiceProblemProps) {
  return (
    <div className="stack3">
      <Problem
        {...problem}
        level={1}
        action={
          <ul className="row">
            {missing ? null : (
              <li>
                <a href={address}>Try again</a>
              </li>
            )}
            {did === undefined ? null : (
              <li>
                <Link href={listHref({ did, status: "any" })}>List every record of this DID</Link>
              </li>
            )}
            <li>
              <Link href="/apps">Search the services</Link>
            </li>
            {missing ? (
              <li>
                <Link href={`/register?${new URLSearchParams({ service: did ?? "" })}`} prefetch={false}>
                  Register this service
                </Link>
              </li>
            ) : null}
          </ul>
        }
      />
      {missing || did === undefined ? null : (
        <Suspense>
          <LastKnown did={did} />
        </Suspense>
      )}
    </div>
  );
}

/** Shows what the search index knows of a service that the chain does not answer for. */
async function LastKnown({ did }: { did: string }) {
  const found = await searchServices({ did, status: "any" });
  if (!found.ok || found.page.source === "chain" || found.rows.length === 0) return null;
  return (
    <ServiceList
      rows={found.rows}
      facts="lastKnown"
      caption={<p className="strong">Not checked now. Last known, at block {found.page.block}:</p>}
    />
  );
}
