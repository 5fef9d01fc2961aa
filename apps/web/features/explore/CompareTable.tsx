import Link from "next/link";
import type { ReactNode } from "react";
import { Claim } from "../../components/record/Claim.tsx";
import { authenticationLines } from "../../components/record/endpointView.ts";
import { AppStatusText, TimeText } from "../../components/record/labels.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { claimedName } from "../../lib/record/claims.ts";
import { unknownWord } from "../../lib/record/factSummary.ts";
import { factNames, factTexts, outcomeWords } from "../../lib/record/facts.ts";
import { describeTerms, type ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import styles from "./compare.module.css";
import { compareHref } from "./compareQuery.ts";
import { findLookalikeContracts } from "./findLookalikeContracts.ts";
import type { Compared } from "./readCompared.ts";
import { Claims, ProvenService } from "./ServiceRow.tsx";

type Row = { label: string; cell: (service: Compared) => ReactNode };

const factRows: Row[] = factNames.map((name) => ({
  label: factTexts[name].label,
  cell: ({ outcomes: { [name]: outcome } }) => (
    <span className="marked">
      <StatusMark outcome={outcome} quiet={name === "live" && outcome === "unknown"} />
      {outcome === "unknown" ? unknownWord(name) : outcomeWords[outcome]}
    </span>
  ),
}));

const day = (seconds: number | undefined) =>
  seconds === undefined || seconds === 0 ? "unknown" : <TimeText seconds={seconds} dateOnly />;

const recordRows: Row[] = [
  { label: "Status", cell: ({ entry }) => <AppStatusText status={entry.result.status} /> },
  { label: "Newest version", cell: ({ entry }) => <code>{entry.result.version}</code> },
  { label: "Published", cell: ({ entry }) => day(entry.result.updatedAt) },
  { label: "Registered", cell: ({ registeredAt }) => day(registeredAt) },
  { label: "Changed", cell: ({ entry }) => day(entry.result.changedAt) },
];

/** Maximum number of texts in a cell. The service's page has all. */
const MAX_TEXTS = 5;

/** Lists the publisher's texts, or says that there are none. */
function ClaimedTexts({ kind, texts }: { kind: string; texts: string[] }) {
  const shown = [...new Set(texts.map((text) => claimedName(text)))];
  if (shown.length === 0) return <span className="quiet">none declared</span>;
  return (
    <ul>
      {shown.slice(0, MAX_TEXTS).map((text) => (
        <li key={text}>
          <Claim kind={kind} text={text} />
        </li>
      ))}
      {shown.length > MAX_TEXTS ? <li className="quiet">{shown.length - MAX_TEXTS} more</li> : null}
    </ul>
  );
}

const claimed = (label: string, cell: (metadata: ServiceMetadata) => ReactNode): Row => ({
  label,
  cell: ({ document }) =>
    document.ok ? cell(document.metadata) : <span className="quiet">{document.problem.title}</span>,
});

const offered = (label: string, part: "tools" | "skills" | "resources" | "prompts"): Row =>
  claimed(label, ({ endpoints }) =>
    endpoints.reduce((sum, endpoint) => sum + endpoint[part].length, 0).toLocaleString("en"),
  );

const claimedRows: Row[] = [
  offered("Tools", "tools"),
  offered("Resources", "resources"),
  offered("Prompts", "prompts"),
  offered("Skills", "skills"),
  claimed("Payment", ({ payments }) => (
    <ClaimedTexts
      kind="payment"
      texts={payments.map((payment) => [payment.type, describeTerms(payment)].filter(Boolean).join(": "))}
    />
  )),
  claimed("Authentication", ({ endpoints }) => (
    <ClaimedTexts
      kind="authentication"
      texts={endpoints
        .flatMap(({ authentication }) => authenticationLines(authentication))
        .flatMap(({ term, text }) => (term === "Access" || term === "Methods" ? [text] : []))}
    />
  )),
];

const groups: { title: string; rows: Row[]; isClaimed?: true }[] = [
  { title: "Verification", rows: factRows },
  { title: "Record", rows: recordRows },
  { title: "Claimed by the publisher · not verified", rows: claimedRows, isClaimed: true },
];

/** Compares services side by side. Each column begins with the proven name. */
export function CompareTable({ services }: { services: Compared[] }) {
  const alike = findLookalikeContracts(services.map(({ entry }) => entry.result));
  const dids = services.map(({ entry }) => entry.result.did);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll the region with the arrow keys
    <section className={styles.frame} aria-label="Comparison" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <td />
            {services.map(({ entry }) => {
              const { did, tokenId } = entry.result;
              return (
                <th key={did} scope="col">
                  <div className={styles.head}>
                    <ProvenService entry={entry} alike={alike.get(tokenId)}>
                      {services.length > 2 ? (
                        <Link href={compareHref(dids.filter((other) => other !== did))} prefetch={false}>
                          Remove
                        </Link>
                      ) : null}
                    </ProvenService>
                    <Claims entry={entry} />
                  </div>
                </th>
              );
            })}
          </tr>
        </thead>
        {groups.map(({ title, rows, isClaimed }) => (
          <tbody key={title} data-claims={isClaimed}>
            <tr className={styles.group}>
              <th scope="rowgroup" colSpan={services.length + 1}>
                <span data-claims-label={isClaimed}>{title}</span>
              </th>
            </tr>
            {rows.map(({ label, cell }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {services.map((service) => (
                  <td key={service.entry.result.did}>{cell(service)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  );
}
