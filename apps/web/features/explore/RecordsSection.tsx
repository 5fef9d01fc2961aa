import type { SearchPage } from "@app-registry/sdk";
import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { ServiceList } from "./ServiceList.tsx";
import type { FoundServices } from "./searchServices.ts";

type RecordsSectionProps = {
  title: string;
  note: string;
  found: FoundServices;
  /** Returns the path of this section's next page. */
  nextHref: (cursor: string) => string;
  /** Text for an empty section. */
  empty: string;
};

/** Renders a section of an account's records. */
export function RecordsSection({ title, note, found, nextHref, empty }: RecordsSectionProps) {
  if (!found.ok) {
    const { isHidden, ...failure } = found.failure;
    return (
      <LedgerSection title={title} note={note}>
        <Problem level={3} tone={isHidden ? "neutral" : "unknown"} {...failure} />
      </LedgerSection>
    );
  }
  const {
    rows,
    page: { nextCursor },
  } = found;
  return (
    <LedgerSection title={title} note={note}>
      {rows.length > 0 ? (
        <ServiceList rows={rows} caption={<RowCount count={rows.length} page={found.page} />} />
      ) : null}
      {rows.length === 0 ? <p>{nextCursor === null ? empty : "None on this page."}</p> : null}
      {nextCursor === null ? null : (
        <p>
          <Link href={nextHref(nextCursor)} prefetch={false}>
            Next page
          </Link>
        </p>
      )}
    </LedgerSection>
  );
}

function RowCount({ count, page: { nextCursor, block } }: { count: number; page: SearchPage }) {
  const services = count === 1 ? "1 service" : `${count} services`;
  return (
    <p className="strong">
      {services}
      {nextCursor === null ? "" : " on this page"}
      <span className="quiet"> at block {block.toLocaleString("en")}</span>
    </p>
  );
}
