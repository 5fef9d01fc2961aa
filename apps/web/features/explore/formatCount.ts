import type { SearchTotal } from "@app-registry/sdk";

type Counted = {
  /** Number of matching records, including hidden ones. Undefined without a count. */
  total: SearchTotal | undefined;
  /** Number of records on the page. The major versions of one DID share a row, so `services` can be lower. */
  records: number;
  services: number;
  /** The results have other pages. */
  isPart: boolean;
  /** The operator hides services. */
  hides: boolean;
};

const number = (count: number): string => count.toLocaleString("en");

/** Formats the number of results on a page: "25 of 120 records (23 services)". */
export function formatCount({ total, records, services, isPart, hides }: Counted): string {
  const rows =
    services === records ? "" : ` (${services === 1 ? "1 service" : `${number(services)} services`})`;
  const noun = (total?.count ?? records) === 1 ? "record" : "records";
  if (total === undefined) return `${number(records)} ${noun}${isPart ? " on this page" : ""}${rows}`;
  if (total.exact && total.count === records) return `${number(records)} ${noun}${rows}`;
  if (hides && !isPart && total.exact) {
    const hidden = number(total.count - records);
    return `${number(records)} ${records === 1 ? "record" : "records"}${rows} (${hidden} hidden by this registry's operator)`;
  }
  return `${number(records)} of ${number(total.count)}${total.exact ? "" : " or more"} ${noun}${rows}`;
}
