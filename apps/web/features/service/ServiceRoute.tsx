import { appPath } from "@app-registry/sdk";
import type { Metadata } from "next";
import { visibleText } from "../../components/record/visibleText.ts";
import { environment } from "../../lib/server/environment.ts";
import { loadRequestedService } from "./loadService.ts";
import { ServicePage } from "./ServicePage.tsx";
import { ServiceProblem } from "./ServiceProblem.tsx";

/** Title and address of a service's page; the unversioned address is the service's identity. */
export async function generateMetadata(): Promise<Metadata> {
  const loaded = await loadRequestedService();
  if (!loaded.ok) return { title: loaded.problem.title, robots: { index: false } };
  const { record, document, isHighest } = loaded.service;
  const metadata = document.ok ? document.metadata : undefined;
  const name = visibleText(metadata?.name ?? "") || record.did;
  return {
    title: name,
    description: visibleText(metadata?.description ?? "") || `The record of ${record.did}`,
    alternates: {
      canonical: `${environment().publicUrl}${appPath(record.did, isHighest ? undefined : record.version)}`,
    },
  };
}

/** `/apps/<did>` and `/apps/<did>/v/<version>`. The proxy sets the status of one that is not there. */
export async function ServiceRoute() {
  const loaded = await loadRequestedService();
  return loaded.ok ? <ServicePage service={loaded.service} /> : <ServiceProblem loaded={loaded} />;
}
