import { TimeText } from "../../components/record/labels.tsx";
import { findLookalikeContracts } from "./findLookalikeContracts.ts";
import styles from "./home.module.css";
import { Claims, ProvenService } from "./ServiceRow.tsx";
import type { ServiceEntry } from "./searchServices.ts";

/** Lists services by their proven and claimed names, without their facts. */
export function ShortList({ rows }: { rows: ServiceEntry[] }) {
  if (rows.length === 0) return <p className="quiet">No services found</p>;
  const alike = findLookalikeContracts(rows.map(({ result }) => result));
  return (
    <ol className={styles.short}>
      {rows.map((entry) => {
        const { tokenId, updatedAt, live } = entry.result;
        return (
          <li key={tokenId}>
            <ProvenService entry={entry} alike={alike.get(tokenId)} />
            <Claims entry={entry} isShort />
            <p className="quiet">
              Updated <TimeText seconds={updatedAt} dateOnly />
              {live?.answeredAt ? (
                <>
                  , responded <TimeText seconds={live.answeredAt} />
                </>
              ) : null}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
