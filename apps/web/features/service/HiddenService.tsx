import "server-only";
import { formatVersion, getProvenSubject } from "@app-registry/sdk";
import { headers } from "next/headers";
import { FactLine } from "../../components/record/FactLine.tsx";
import { namedFacts } from "../../components/record/facts.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { registry } from "../../lib/server/registry.ts";
import { issuerNames } from "../control/issuerNames.ts";
import { loadRequestedService } from "./loadService.ts";
import { parseServicePath, rawPathHeader } from "./servicePath.ts";
import { verifyOnChain } from "./verifyService.ts";

/** A service that the operator hides, as its page is asked for. */
export type Hidden = { did: string; reason: string; path: string };

/** Whether the request's path names a hidden service, and why it is hidden. */
export async function requestedHidden(): Promise<Hidden | undefined> {
  const path = (await headers()).get(rawPathHeader) ?? "";
  const parsed = parseServicePath(path);
  const reason = parsed.kind === "invalid" ? undefined : registry().hidden.reasonOf(parsed.did);
  return parsed.kind === "invalid" || reason === undefined ? undefined : { did: parsed.did, reason, path };
}

/** In place of a hidden service's page: that it is hidden and why; what the chain says of it on request. */
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
        action={showsFacts ? undefined : <a href={`${path}?facts=chain`}>Show what the chain says of it</a>}
      />
      {showsFacts ? <ChainFacts /> : null}
    </div>
  );
}

/** The facts as far as the chain alone tells; nothing that the service says of itself. */
async function ChainFacts() {
  const loaded = await loadRequestedService();
  if (!loaded.ok) return <Problem {...loaded.problem} />;
  const { did, version } = loaded.service.record;
  const { facts } = await verifyOnChain({ did, version: formatVersion(version) });
  return (
    <ul aria-label="Facts">
      {namedFacts(facts).map(({ name, fact }) => (
        <FactLine key={name} name={name} fact={fact} names={issuerNames()} />
      ))}
    </ul>
  );
}
