import type { LiveRecord } from "@app-registry/sdk";
import Link from "next/link";
import { CopyButton } from "../../../components/record/CopyButton.tsx";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { TimeText } from "../../../components/record/labels.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { LiveEndpoints } from "./LiveEndpoints.tsx";
import { LiveHistory } from "./LiveHistory.tsx";

/** What the registry's prober was served by the current version of a service, and how it went before. */
export function LiveSection({ live }: { live: LiveRecord }) {
  const { did, probe, answeredAt, nextAt, history } = live;
  if (probe === null && history.length === 0) return null;
  const isMcp = probe?.endpoints.some(({ protocol }) => protocol === "mcp");
  const lines = [
    {
      term: "Asked last",
      value: probe === null ? "not yet" : <TimeText seconds={Math.floor(probe.probedAt / 1_000)} precise />,
    },
    {
      term: "Answered last",
      value: answeredAt === null ? "never" : <TimeText seconds={answeredAt} precise />,
    },
    { term: "Asked next", value: nextAt === null ? "not asked" : <TimeText seconds={nextAt} /> },
  ];
  return (
    <LedgerSection
      title="Live"
      id="live"
      note={
        <>
          What this registry was served, and when. A host may show others something else.{" "}
          <Link href="/prober" prefetch={false}>
            About the prober
          </Link>
        </>
      }
    >
      <div className="stack3">
        <DefinitionLines lines={lines} />
        <LiveHistory history={history} />
        {probe === null ? null : <LiveEndpoints endpoints={probe.endpoints} />}
        {isMcp ? <Guard did={did} /> : null}
      </div>
    </LedgerSection>
  );
}

/** How to have tools compared at each use. */
function Guard({ did }: { did: string }) {
  const command = `npx -y @app-registry/cli connect ${did}`;
  return (
    <p className="prose">
      A server can show you other tools than it showed this registry. Start it through the guard, which
      compares at each use and withholds what is not registered:{" "}
      <span className="row">
        <code className="anywhere">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </span>
    </p>
  );
}
