import { type ServiceProbe, visibleText } from "@app-registry/sdk";
import styles from "../../../components/record/record.module.css";
import { liveOutcomeWords } from "./liveDays.ts";

type EndpointProbe = ServiceProbe["endpoints"][number];
type Comparison = NonNullable<EndpointProbe["comparison"]>;

/** Maximum number of changes to show per endpoint. The API returns all of them. */
const MAX_CHANGES = 30;

/** Shows the last response of each endpoint and its differences from the registered version. */
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

/** Renders the lines of a diff as untrusted text: `-` is the registered version, `+` the served one. */
function DiffLines({ lines }: { lines: readonly string[] }) {
  return (
    <div className="stack small">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity and never change
        <DiffLine key={index} line={line} />
      ))}
    </div>
  );
}

function DiffLine({ line }: { line: string }) {
  const text = visibleText(line);
  if (line.startsWith("-")) return <del className={`mono ${styles.before}`}>{text}</del>;
  if (line.startsWith("+")) return <ins className={`mono ${styles.after}`}>{text}</ins>;
  return <p>{text}</p>;
}
