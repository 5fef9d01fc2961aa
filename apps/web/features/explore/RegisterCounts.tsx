import { apiTypes, Interfaces } from "@app-registry/sdk";
import Link from "next/link";
import { type ListQuery, listHref } from "./listQuery.ts";
import styles from "./RegisterCounts.module.css";
import { countServices } from "./searchServices.ts";

type Count = { label: string; query: Partial<ListQuery> };

const mcp = apiTypes[1].trait;
const a2a = apiTypes[2].trait;

const counts: Count[] = [
  { label: "Active services", query: {} },
  { label: "For people", query: { interfaces: Interfaces.Human } },
  { label: "APIs", query: { interfaces: Interfaces.Api } },
  { label: "MCP servers", query: { traits: [mcp] } },
  { label: "A2A agents", query: { traits: [a2a] } },
  { label: "On-chain applications", query: { interfaces: Interfaces.Contract } },
];

/** How many services are active, in all and by kind; nothing when the index can't count. */
export async function RegisterCounts() {
  const totals = await Promise.all(counts.map(({ query }) => countServices(query)));
  const known = counts.flatMap(({ label, query }, index) => {
    const total = totals[index];
    if (total === undefined) return [];
    const { count, orMore } = total;
    const number = `${orMore ? "over " : ""}${count.toLocaleString("en")}`;
    return [{ text: label, href: listHref(query), number }];
  });
  if (known.length === 0)
    return <p className={styles.away}>The counts are not known: the index does not answer.</p>;
  return (
    <ul className={styles.counts}>
      {known.map(({ text, href, number }) => (
        <li key={text}>
          <Link href={href} prefetch={false}>
            <span>{text}</span> <span className={styles.total}>{number}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
