import { getProvenSubject } from "@app-registry/sdk";
import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import { permanentRedirect } from "next/navigation";
import { Problem } from "../../../components/record/Problem.tsx";
import type { PageSearchParams } from "../../../features/explore/listQuery.ts";
import { findByPublisher } from "../../../features/publisher/findByPublisher.ts";
import { PublisherPage } from "../../../features/publisher/PublisherPage.tsx";
import { readCursors } from "../../../features/publisher/readCursors.ts";
import { rawPathHeader } from "../../../features/service/servicePath.ts";
import { environment } from "../../../lib/server/environment.ts";
import { parsePublisherPath } from "../../../lib/service/getPublisherPath.ts";

/** Returns the undecoded path of the request, because Next decodes a page's parameters. */
const requestedPath = async () => (await headers()).get(rawPathHeader) ?? "";

export async function generateMetadata(): Promise<Metadata> {
  const publisher = parsePublisherPath(await requestedPath());
  if (!publisher.ok) return { title: "Not found", robots: { index: false } };
  return {
    title: `Registered under ${getProvenSubject(publisher.did).name}`,
    alternates: { canonical: `${environment().publicUrl}${publisher.path}` },
  };
}

/** Shows the services registered under `/by/<host>`, `/by/<host>/<path>` or `/by/<contract>`. */
export default async function Page({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const path = await requestedPath();
  const publisher = parsePublisherPath(path);
  if (!publisher.ok) {
    return (
      <Problem
        level={1}
        tone="neutral"
        title="This link doesn't contain a host, path or contract"
        why={publisher.reason}
        action={
          <p>
            Correct the address, or <Link href="/apps">search the services</Link>.
          </p>
        }
      />
    );
  }
  if (path !== publisher.path) permanentRedirect(publisher.path);
  const cursors = readCursors(await searchParams, ["exact", "ports", "paths"]);
  const records = await findByPublisher(publisher.did, cursors);
  return <PublisherPage did={publisher.did} records={records} cursors={cursors} />;
}
