import type { SearchTotal } from "@app-registry/sdk";

type Counted = {
  /** Records that the search finds, hidden ones too; undefined while nobody counts them. */
  total: SearchTotal | undefined;
  /** Records on the page, and the services in whose rows they stand: the majors of one DID share a row. */
  records: number;
  services: number;
  /** There are other pages. */
  isPart: boolean;
  /** The operator hides services. */
  hides: boolean;
};

const number = (count: number): string => count.toLocaleString("en");

/** How much of what a search finds stands on its page, such as "25 of 120 records, in 23 rows". */
export function formatCount({ total, records, services, isPart, hides }: Counted): string {
  const rows = services === records ? "" : `, in ${services === 1 ? "1 row" : `${number(services)} rows`}`;
  const noun = (total?.count ?? records) === 1 ? "record" : "records";
  if (total === undefined) return `${number(records)} ${noun}${isPart ? " on this page" : ""}${rows}`;
  if (total.exact && total.count === records) return `${number(records)} ${noun}${rows}`;
  const all = `${number(total.count)}${total.exact ? "" : " or more"}`;
  const hidden = hides && !isPart && total.exact ? ". The rest are hidden by the operator" : "";
  return `${number(records)} of ${all} ${noun}${rows}${hidden}`;
}
