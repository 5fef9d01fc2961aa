import { Interfaces } from "@app-registry/sdk";
import Link from "next/link";
import { countActiveServices, countServices } from "./countServices.ts";
import { latestServices } from "./latestServices.ts";
import { type ListQuery, listHref } from "./listQuery.ts";
import styles from "./RegisterCounts.module.css";

type Kind = { label: string; query: Partial<ListQuery> };

const kinds: Kind[] = [
  { label: "For people", query: { interfaces: Interfaces.Human } },
  { label: "APIs", query: { interfaces: Interfaces.Api } },
  { label: "MCP servers", query: { traits: ["api:mcp"] } },
  { label: "A2A agents", query: { traits: ["api:a2a"] } },
  { label: "On-chain applications", query: { interfaces: Interfaces.Contract } },
];

/** How many services are active, in all (by the chain's own counter) and by kind (while the index answers). */
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
  if (lines.length === 0) return <p>How many services there are is not known now.</p>;
  return (
    <ul className={styles.counts}>
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
