import { Interfaces } from "@app-registry/sdk";
import Link from "next/link";
import { Button, Inline } from "../../components/controls/controls.tsx";
import { CopyBlock } from "../../components/record/documents.tsx";
import { StatusMark } from "../../components/record/StatusMark.tsx";
import { factNames, factTexts, type Outcome, outcomeWords } from "../../lib/record/facts.ts";
import { environment } from "../../lib/server/environment.ts";
import styles from "./home.module.css";
import { ListEmpty, ListFailure } from "./ListProblem.tsx";
import { type ListQuery, listHref, readListQuery } from "./listQuery.ts";
import { SearchField } from "./SearchField.tsx";
import { ServiceList } from "./ServiceList.tsx";
import { countActiveServices, countServices, latestServices } from "./searchServices.ts";

/** Lists the newest active services. */
export async function LatestServices() {
  const query = readListQuery({});
  const found = await latestServices();
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  if (found.page.results.length === 0) return <ListEmpty query={query} />;
  return <ServiceList rows={found.rows} caption={null} />;
}

type Kind = { label: string; query: Partial<ListQuery> };

const kinds: Kind[] = [
  { label: "For people", query: { interfaces: Interfaces.Human } },
  { label: "APIs", query: { interfaces: Interfaces.Api } },
  { label: "MCP servers", query: { traits: ["api:mcp"] } },
  { label: "A2A agents", query: { traits: ["api:a2a"] } },
  { label: "On-chain apps", query: { interfaces: Interfaces.Contract } },
];

/** Shows the number of active services: the total from the chain, and each kind from the index if it responds. */
export async function RegisterCounts() {
  const latest = await latestServices();
  const isIndexThere = latest.ok && latest.page.source === "index";
  const counted = await Promise.all([
    countActiveServices().catch(() => undefined),
    ...kinds.map(({ query }) => (isIndexThere ? countServices(query).catch(() => undefined) : undefined)),
  ]);
  const lines = [{ label: "Active services", query: {} }, ...kinds].flatMap(({ label, query }, index) => {
    const total = counted[index];
    if (total === undefined) return [];
    const number = `${total.orMore ? "over " : ""}${total.count.toLocaleString("en")}`;
    return [{ label, href: listHref(query), number }];
  });
  if (lines.length === 0) return <p>The number of services is unavailable right now.</p>;
  return (
    <ul className={styles.totals}>
      {lines.map(({ label, href, number }) => (
        <li key={label}>
          <Link href={href} prefetch={false}>
            <span>{label}</span> <span className={styles.total}>{number}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Renders the search field of the home page. */
export function SearchBox() {
  return (
    <search>
      <form action="/apps" method="get">
        <Inline align="start" maxWidth={640}>
          <SearchField size="lg" />
          <Button type="submit" size="lg">
            Search
          </Button>
        </Inline>
      </form>
    </search>
  );
}

/** Shows an example request for programs. */
export function ProgramAccess() {
  return (
    <div className="stack2">
      <CopyBlock
        caption="Find MCP servers"
        text={`curl '${environment().publicUrl}/api/search?traits=api:mcp&interface=2'`}
      />
      <p>
        All endpoints are documented in <a href="/api/openapi.json">OpenAPI 3.1</a>. The registry itself is a
        smart contract, so programs can read it directly without trusting this server.
      </p>
    </div>
  );
}

const outcomes: { outcome: Outcome; meaning: string }[] = [
  { outcome: "pass", meaning: "checked and confirmed" },
  { outcome: "unknown", meaning: "couldn't be checked: a host or the chain didn't respond" },
  { outcome: "fail", meaning: "checked and not confirmed" },
];

/** Explains the facts and their marks. */
export function FactsLegend() {
  return (
    <div className="stack2">
      <dl className="terms">
        {factNames.map((name) => (
          <div key={name}>
            <dt>{factTexts[name].label}</dt>
            <dd>{factTexts[name].question}</dd>
          </div>
        ))}
      </dl>
      <ul className="row soft">
        {outcomes.map(({ outcome, meaning }) => (
          <li key={outcome}>
            <StatusMark outcome={outcome} /> {outcomeWords[outcome]}: {meaning}
          </li>
        ))}
      </ul>
    </div>
  );
}
