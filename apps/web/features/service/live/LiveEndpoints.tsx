import { type ServiceProbe, visibleText } from "@app-registry/sdk";
import { DiffLines } from "../../../components/record/DiffLines.tsx";
import { liveOutcomeWords } from "./liveDays.ts";

type EndpointProbe = ServiceProbe["endpoints"][number];
type Comparison = NonNullable<EndpointProbe["comparison"]>;

/** Changes of an endpoint that are shown; the API has them all. */
const MAX_CHANGES = 30;

/** What each endpoint answered last, and how what it offers differs from what is registered. */
export function LiveEndpoints({ endpoints }: { endpoints: readonly EndpointProbe[] }) {
  return (
    <ul className="ruled">
      {endpoints.map(({ name, url, outcome, reason, latencyMs, protocolVersion, comparison }) => (
        <li key={`${name} ${url}`} className="stack">
          <h3 className="row minor">
            <bdi>{visibleText(name)}</bdi>
            <span className="small">{liveOutcomeWords[outcome]}</span>
            {outcome === "unknown" ? null : (
              <span className="quiet">
                in {latencyMs.toLocaleString("en")} ms
                {protocolVersion === undefined ? "" : `, protocol ${visibleText(protocolVersion)}`}
              </span>
            )}
          </h3>
          <p className="soft anywhere">
            <bdi>{visibleText(reason)}</bdi>
          </p>
          {comparison === undefined ? null : <Changes comparison={comparison} />}
        </li>
      ))}
    </ul>
  );
}

function Changes({ comparison: { outcome, changes } }: { comparison: Comparison }) {
  if (outcome === "same") return <p className="soft">Matches the registered version.</p>;
  if (outcome === "not-comparable") {
    return <p className="soft">The registered document lists nothing to compare.</p>;
  }
  return (
    <>
      <p className="strong">Differs from the registered version:</p>
      <ul className="stack2" aria-label="Differences">
        {changes.slice(0, MAX_CHANGES).map(({ kind, name, change, breaks, diff }) => (
          <li key={`${kind} ${name}`} className="stack">
            <p className="row anywhere">
              <span>
                {kind === "instructions" ? null : `${kind} `}
                <code className="strong">{visibleText(name)}</code> {change}
              </span>
              {breaks === undefined ? null : (
                <span className="quiet">
                  May break callers: <bdi>{visibleText(breaks)}</bdi>
                </span>
              )}
            </p>
            <DiffLines lines={diff} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_CHANGES ? (
        <p className="quiet">{changes.length - MAX_CHANGES} more changes. See all in the HTTP API.</p>
      ) : null}
    </>
  );
}
