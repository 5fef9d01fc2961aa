import { appPath, formatVersion } from "@app-registry/sdk";
import type { Metadata } from "next";
import { visibleText } from "../../components/record/visibleText.ts";
import { environment } from "../../lib/server/environment.ts";
import { loadRequestedService } from "./loadService.ts";
import { ServicePage } from "./ServicePage.tsx";
import { ServiceProblem } from "./ServiceProblem.tsx";
import { verifyService } from "./verifyService.ts";
import { withPatience } from "./withPatience.ts";

/** Milliseconds that the page waits for its facts before it shows the rest. */
const VERIFY_PATIENCE = 800;

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
  if (!loaded.ok) return <ServiceProblem loaded={loaded} />;
  const { did, version } = loaded.service.record;
  const verification = verifyService({ did, version: formatVersion(version) });
  const report = await withPatience(verification, VERIFY_PATIENCE);
  return <ServicePage service={loaded.service} report={report} />;
}
