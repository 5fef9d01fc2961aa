import "server-only";
import { formatVersion, getProvenSubject } from "@app-registry/sdk";
import { headers } from "next/headers";
import { FactList } from "../../components/record/facts.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { verifyOnChain } from "../../lib/service/verifyService.ts";
import { issuerNames } from "../control/readControl.ts";
import { loadRequestedService } from "./loadService.ts";
import { parseServicePath, rawPathHeader } from "./servicePath.ts";

/** A hidden service, with the requested path. */
export type Hidden = { did: string; reason: string; path: string };

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
