import type { Outcome } from "@app-registry/sdk";
import { factNames, factTexts } from "@app-registry/sdk/internal";
import Link from "next/link";
import { Button, Inline } from "../../components/controls/controls.tsx";
import { CopyBlock, DefinitionLines } from "../../components/record/documents.tsx";
import { StatusMark } from "../../components/record/Problem.tsx";
import { outcomeWords } from "../../lib/record/facts.ts";
import { environment, registry } from "../../lib/server/registry.ts";
import { FacetLinks, facetGroups } from "./facets.tsx";
import { listHref, readListQuery } from "./listQuery.ts";
import { SearchField } from "./SearchField.tsx";
import { OrderLinks, ServiceList } from "./ServiceList.tsx";
import { LagNote, ListEmpty, ListFailure } from "./ServiceResults.tsx";
import { countActiveServices, readFacets, searchServices } from "./searchServices.ts";

const orders = [
  { sort: "", label: "New" },
  { sort: "updated", label: "Updated" },
] as const;

/** Number of services in the list. */
const LATEST = 8;

/** Lists the newest active services, or those with the latest versions. */
export async function LatestServices({ sort }: { sort: string | undefined }) {
  const order = orders.find((one) => one.sort === sort) ?? orders[0];
  const query = { ...readListQuery({}), sort: order.sort };
  const found = await searchServices({ sort: order.sort || undefined, limit: LATEST });
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  if (found.page.results.length === 0) return <ListEmpty query={query} />;
  const caption = (
    <>
      <OrderLinks
        orders={orders}
        current={order.sort}
        toHref={(sort) => (sort === "" ? "/" : `/?sort=${sort}`)}
      />
      <span className="quiet">at block {found.page.block.toLocaleString("en")}</span>
    </>
  );
  return (
    <>
      <LagNote lag={found.page.lag} limit={registry().environment.indexLagLimit} />
      <ServiceList
        rows={found.rows}
        caption={caption}
        facts={found.page.lag === null ? "lastKnown" : "checked"}
      />
      <p style={{ paddingBlock: "var(--space-2) var(--space-1)" }}>
        <Link href={listHref({ sort: order.sort })} prefetch={false}>
          All services
        </Link>
      </p>
    </>
  );
}

/** Shows the number of active services, from the chain, and of each kind, if the index responds. */
export async function KindCounts() {
  const [all, counted] = await Promise.all([
    countActiveServices().catch(() => undefined),
    readFacets().catch(() => undefined),
  ]);
  if (all === undefined && counted === undefined)
    return <p>The number of services is unavailable right now.</p>;
  return (
    <section className="stack" aria-label="Services">
      {all === undefined ? null : (
        <h2 className="subtitle">
          <Link className="plain" href="/apps" prefetch={false}>
            All active services <span className="quiet">{all.toLocaleString("en")}</span>
          </Link>
        </h2>
      )}
      {counted === undefined ? null : (
        <div className="row">
          <FacetLinks groups={facetGroups(readListQuery({}), counted).kinds} />
        </div>
      )}
    </section>
  );
}

/** Renders links to the services with the most used traits. */
export async function BrowseLinks() {
  const counted = await readFacets().catch(() => undefined);
  if (counted === undefined) return null;
  const { traits } = facetGroups(readListQuery({}), counted);
  if (traits.length === 0) return null;
  return (
    <nav className="row" aria-label="Browse services" style={{ paddingBottom: "var(--space-3)" }}>
      <FacetLinks groups={traits} />
    </nav>
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
        <a href="/docs/http-api">All routes</a>, also as <a href="/api/openapi.json">OpenAPI 3.1</a>. The
        registry itself is a smart contract, so programs can read it directly without trusting this server.
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
      <DefinitionLines
        lines={factNames.map((name) => ({ term: factTexts[name].label, value: factTexts[name].question }))}
      />
      <ul className="row soft">
        {outcomes.map(({ outcome, meaning }) => (
          <li key={outcome}>
            <StatusMark outcome={outcome} /> {outcomeWords[outcome]}: {meaning}
          </li>
        ))}
        <li>
          <StatusMark outcome="unknown" color="var(--ink-3)" /> Not checked: not tried yet, or the publisher
          opted out
        </li>
        <li>
          <a href="/docs/verify#what-each-fact-says">What each fact says</a>
        </li>
      </ul>
    </div>
  );
}
