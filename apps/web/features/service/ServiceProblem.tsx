import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { listHref } from "../explore/listQuery.ts";
import type { LoadedService } from "./loadService.ts";
import styles from "./ServiceProblem.module.css";

type ServiceProblemProps = { loaded: Extract<LoadedService, { ok: false }> };

/** In place of a service that is not there or can't be read: what is known, and the ways on. */
export function ServiceProblem({ loaded: { problem, did, missing, address } }: ServiceProblemProps) {
  return (
    <Problem
      {...problem}
      level={1}
      action={
        <ul className={styles.ways}>
          {missing ? null : (
            <li>
              <a href={address}>Try again</a>
            </li>
          )}
          {did === undefined ? null : (
            <li>
              <Link href={listHref({ did, status: "any" })}>List every record of this DID</Link>
            </li>
          )}
          <li>
            <Link href="/apps">Search the services</Link>
          </li>
          {missing ? (
            <li>
              <Link href="/register" prefetch={false}>
                Register this service
              </Link>
            </li>
          ) : null}
        </ul>
      }
    />
  );
}
