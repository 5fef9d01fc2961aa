import { getSite } from "@app-registry/outbound/site";
import {
  type ClassifiedAddress,
  type Fact,
  formatProvenLine,
  type VerificationReport,
} from "@app-registry/sdk";
import {
  chainFactNames,
  type FactName,
  factNames,
  getDidHost,
  getReportOutcomes,
  isCheckedUse,
  summarizeReport,
} from "@app-registry/sdk/internal";
import type { ReactNode } from "react";
import { SubdomainName } from "../../components/record/claims.tsx";
import { FactMarks } from "../../components/record/facts.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import styles from "./service.module.css";

type ProvenHeadProps = {
  did: string;
  control: Fact;
  /** Report whose marks are shown below the line. */
  report?: VerificationReport;
  /** Words for control that is not decided yet, after the name. */
  pending?: string;
  /** Element of the line. It is a heading only on the service's own page. */
  level?: "h1" | "p";
  /** Notes on the host's name. */
  children?: ReactNode;
};

/** Shows the proven host, path or contract, in full and in the page's largest text. */
export function ProvenHead({
  did,
  control,
  report,
  pending,
  level: Level = "h1",
  children,
}: ProvenHeadProps) {
  const isControlled = control.outcome === "pass";
  const { kind, name, before, after } = formatProvenLine(did, control.outcome);
  const host = getDidHost(did);
  const site = kind === "host" && host !== undefined ? getSite(host) : undefined;
  return (
    <header className={`stack ${styles.proven}`} data-control={control.outcome}>
      <Level>
        <span className="subtitle strong">
          {isControlled ? null : (
            <>
              <StatusMark outcome={control.outcome} />{" "}
            </>
          )}
          {before}
        </span>{" "}
        <strong
          className={kind === "contract" ? "mono" : undefined}
          data-proven={kind}
          dir="ltr"
          translate="no"
        >
          {site && host !== site ? <SubdomainName name={name} site={site} /> : name}
        </strong>
        {after === "" ? null : <span className="subtitle strong">{pending ?? after}</span>}
      </Level>
      {report === undefined ? null : (
        <Facts report={report} proven={kind === "contract" ? undefined : name} />
      )}
      {site && host !== site ? (
        <p className="soft anywhere">
          Part of the site{" "}
          <strong dir="ltr" translate="no">
            {site}
          </strong>
          .
        </p>
      ) : null}
      {kind === "path" ? (
        <p className="soft anywhere">
          Only {name} is proven, and its account may have chosen that name. Other paths of{" "}
          {name.split("/")[0]} may belong to others.
        </p>
      ) : null}
      {kind === "contract" ? (
        <p className="soft anywhere">Compare every character. Addresses can be made to look alike.</p>
      ) : null}
      {children}
      {isControlled && control.evidence?.role === "minter" ? (
        <p className="notice prose">
          The token of this record changed hands. That changes nothing: its new holder has no control, {name}{" "}
          still does.
        </p>
      ) : null}
    </header>
  );
}

/** Shows what the reader should do next, and the six marks with their sentence. */
function Facts({ report, proven }: { report: VerificationReport; proven: string | undefined }) {
  const { text, tone } = getNextStep(report, proven);
  return (
    <>
      <p className={`subtitle strong ${tone === undefined ? "prose" : "notice"}`} data-tone={tone}>
        {text}
      </p>
      <FactMarks
        outcomes={getReportOutcomes(report)}
        summary={summarizeReport(report)}
        isLinked
        lastKnown={factNames.filter((name) => report.facts[name]?.evidence.lastKnownAtBlock !== undefined)}
      />
    </>
  );
}

/** Next step of a reader, by the fact that fails, the gravest first. */
const nextSteps: readonly [FactName, string][] = [
  ["control", "Don't rely on this service until its control is proven again."],
  ["content", "Don't use this service now: its document isn't the registered one."],
  ["record", "Use another service."],
  ["origin", "Don't sign in or pay at an address that isn't proven to belong to it."],
  ["attested", "Don't rely on it: no issuer confirms its document now. Check again later."],
  ["live", "Check again before you rely on it."],
];

/**
 * Returns what a reader should do next, and the tone of its notice. It is no warning if all facts of the chain pass.
 *
 * @param proven Whom the registry proved: a host or a path; `undefined` for a contract.
 */
export function getNextStep(
  report: Pick<VerificationReport, "facts">,
  proven: string | undefined,
): { text: string; tone?: "fail" | "unknown" } {
  const outcomes = getReportOutcomes(report);
  // Without evidence, the last known outcome says nothing about addresses. A contract is its own address.
  const { addresses } = report.facts.origin.evidence as { addresses?: ClassifiedAddress[] };
  const used = addresses?.filter(({ use }) => isCheckedUse(use));
  const failing = nextSteps.find(([name]) => outcomes[name] === "fail");
  if (failing !== undefined) {
    const [name, step] = failing;
    const hosts = (used ?? []).flatMap(({ url, leads }) =>
      leads === "elsewhere" ? (URL.parse(url)?.host ?? []) : [],
    );
    const isNamed = name === "origin" && hosts.length > 0;
    const first = isNamed ? `Don't connect, sign in or pay at ${listFirst([...new Set(hosts)])}.` : step;
    const isSilentToo = outcomes.live === "fail" && name !== "live";
    return {
      text: isSilentToo ? `${first} The service also failed its last live check.` : first,
      // An outcome that was not checked now has no color, here as in the marks.
      tone: report.facts[name]?.evidence.lastKnownAtBlock === undefined ? "fail" : "unknown",
    };
  }
  const isKnown = chainFactNames.every((name) => (outcomes[name] ?? "unknown") !== "unknown");
  if (!isKnown)
    return { text: "Don't rely on it until everything can be checked. Check again later.", tone: "unknown" };
  const isUsable = proven === undefined || used === undefined || used.length > 0;
  return {
    text: isUsable
      ? `If you mean ${proven ?? "this contract"}, use it as shown below. The facts don't tell what it does with your data.`
      : "There is nothing to use here: its document names no address.",
  };
}

/** Formats a list of which only the first two are named. */
const listFirst = (names: string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(
    names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} other hosts`] : names,
  );
