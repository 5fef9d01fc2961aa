import type { LiveRecord } from "@app-registry/sdk";
import Link from "next/link";
import { DefinitionLines } from "../../../components/record/documents.tsx";
import { TimeText } from "../../../components/record/labels.tsx";
import { LedgerSection } from "../../../components/shell/shell.tsx";
import { LiveEndpoints } from "./LiveEndpoints.tsx";
import { LiveHistory } from "./LiveHistory.tsx";
import { countProbes } from "./liveDays.ts";

/** Shows the live check results of a service's current version, with their history. */
export function LiveSection({ live }: { live: LiveRecord }) {
  const { probe, answeredAt, nextAt, history } = live;
  const wasChecked = history.some((period) => countProbes(period).asked > 0);
  const isChecked = probe !== null && probe.endpoints.length > 0;
  const isMcp = probe?.endpoints.some(({ protocol }) => protocol === "mcp");
  const lines = [
    {
      term: "Last check",
      value: isChecked ? (
        <TimeText seconds={Math.floor(probe.probedAt / 1_000)} precise />
      ) : (
        (probe?.reason ?? "not yet")
      ),
    },
    {
      term: "Last response",
      value: answeredAt === null ? "never" : <TimeText seconds={answeredAt} precise />,
    },
    { term: "Next check", value: nextAt === null ? "not scheduled" : <TimeText seconds={nextAt} /> },
  ];
  return (
    <LedgerSection
      title="Live"
      id="live"
      note={
        <>
          What the service returned to this registry. Others may get a different response.{" "}
          <Link href="/prober" prefetch={false}>
            About live checks
          </Link>
        </>
      }
    >
      {isChecked || wasChecked ? (
        <div className="stack3">
          <DefinitionLines lines={lines} />
          <LiveHistory history={history} />
          {probe === null ? null : <LiveEndpoints endpoints={probe.endpoints} />}
          {isMcp ? <Guard /> : null}
        </div>
      ) : (
        <p>
          {probe !== null ? (
            probe.reason
          ) : nextAt === null ? (
            "Not checked."
          ) : (
            <>
              Not checked yet. First check: <TimeText seconds={nextAt} />.
            </>
          )}
        </p>
      )}
    </LedgerSection>
  );
}

/** Links to the commands for the guard, which compares tools on every use. */
function Guard() {
  return (
    <p className="prose">
      A server can show you different tools from those it showed this registry.{" "}
      <a href="#connect">Connect through the guard</a> to compare them on every use and block anything that
      isn't registered.
    </p>
  );
}
