import Link from "next/link";
import { Problem } from "../../components/record/Problem.tsx";
import { listHref } from "../explore/listQuery.ts";
import type { LoadedService } from "./loadService.ts";

type ServiceProblemProps = { loaded: Extract<LoadedService, { ok: false }> };

/** In place of a service that is not there or can't be read: what is known, and the ways on. */
export function ServiceProblem({ loaded: { problem, did, missing } }: ServiceProblemProps) {
  return (
    <Problem
      {...problem}
      level={1}
      action={
        <p>
          {did === undefined ? null : (
            <>
              <Link href={listHref({ did, status: "any" })}>List every record of this DID</Link>,{" "}
            </>
          )}
          <Link href="/apps">search the services</Link>
          {missing ? (
            <>
              , or{" "}
              <Link href="/register" prefetch={false}>
                register this one
              </Link>
            </>
          ) : null}
          .
        </p>
      }
    />
  );
}
