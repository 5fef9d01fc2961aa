import { formatVersion, summarizeChanges } from "@app-registry/sdk";
import { sql } from "drizzle-orm";
import { applyDistrust } from "./evidence.ts";
import { liveEvents, type VersionRow } from "./live.ts";
import { controlling } from "./search/filters.ts";
import type { Session, Sql } from "./session.ts";
import { app, didAttestation, document, head, issuer, version } from "./tables.ts";

/**
 * Lists the last change of control and the changes between live checks of records, newest first, each with the record's
 * current version, and what its current version changed. Times are Unix seconds.
 */
export async function recentChanges(session: Session, tokenIds: readonly string[]) {
  const isAsked = sql`app.token_id = any(string_to_array(${tokenIds.join(",")}, ',')::numeric[])`;
  const live = await liveEvents(session, isAsked);
  const control = await controlEvents(session, isAsked);
  const versions = await versionChanges(session, isAsked);
  const events = [...live, ...control]
    .map(({ token_id: tokenId, did, at, kind, detail, ...version }) => ({
      ...{ tokenId, did, version: formatVersion(version) },
      ...{ at: Math.floor(at), kind, detail },
    }))
    .sort((one, other) => other.at - one.at);
  return { events, versions };
}

type ControlRow = VersionRow & { since: number | null; lost: number | null };

/** Lists when the minter or holder gained control after the minting, or when both had lost it. */
async function controlEvents(session: Session, isAsked: Sql) {
  const run = applyDistrust(didAttestation, issuer);
  const end = sql`least(${didAttestation.endedAt}, ${run.expiresAt},
    case when ${didAttestation.startedAt} >= ${issuer.distrustedSince} then ${issuer.distrustedAt} end)`;
  const { rows } = await session.db.execute<ControlRow>(sql`
    select app.token_id::text as token_id, app.did, app.major, app.minor, app.patch,
      (select min(run.matures_at)::float8 ${controlling} and run.matures_at > app.minted_at) as since,
      case when not exists (select ${controlling}) then (
        select max(${end})::float8 from ${didAttestation}
        join ${issuer} on ${issuer.address} = ${didAttestation.issuer} cross join ${head}
        where ${didAttestation.didHash} = app.did_hash
          and ${didAttestation.controller} in (case when app.has_minter_lost then app.owner else app.minter end, app.owner)
          and ${end} <= ${head.timestamp}) end as lost
    from ${app} where ${isAsked}`);
  return rows.flatMap(({ since, lost, ...record }) => [
    ...(since === null
      ? []
      : [
          {
            ...record,
            at: since,
            kind: "controlled" as const,
            detail: "The holder or the minter controls the DID.",
          },
        ]),
    ...(lost === null
      ? []
      : [
          {
            ...record,
            at: lost,
            kind: "uncontrolled" as const,
            detail: "Neither the holder nor the minter controls the DID.",
          },
        ]),
  ]);
}

type ToolsRow = VersionRow & {
  before_minor: number;
  before_patch: number;
  former: string[] | null;
  latter: string[] | null;
};

/** Lists the version before the current one, and the tools that the current one added or removed. */
async function versionChanges(session: Session, isAsked: Sql) {
  const { rows } = await session.db.execute<ToolsRow>(sql`
    select app.token_id::text as token_id, app.did, app.major, app.minor, app.patch,
      before.minor as before_minor, before.patch as before_patch,
      former.tool_names as former, latter.tool_names as latter
    from ${app} cross join lateral (
        select * from ${version} where ${version.tokenId} = app.token_id
          and (${version.minor}, ${version.patch}) <> (app.minor, app.patch)
        order by ${version.block} desc, ${version.minor} desc, ${version.patch} desc limit 1) before
      left join ${document} former on former.did_hash = app.did_hash and former.data_hash = before.data_hash
      left join ${document} latter on latter.did_hash = app.did_hash and latter.data_hash = app.data_hash
    where ${isAsked}`);
  return rows.map(
    ({ token_id: tokenId, major, before_minor: minor, before_patch: patch, former, latter }) => ({
      tokenId,
      before: formatVersion({ major, minor, patch }),
      summary: former && latter ? summarizeChanges(compareNames(former, latter)) : "",
    }),
  );
}

function compareNames(former: readonly string[], latter: readonly string[]) {
  const named = (names: readonly string[], others: readonly string[], change: "added" | "removed") =>
    names.filter((name) => !others.includes(name)).map((name) => ({ kind: "tool" as const, name, change }));
  return [...named(former, latter, "removed"), ...named(latter, former, "added")];
}
