import { renderContractsPage, renderErrorReference } from "./contractPages.ts";
import { renderCliPage, renderHttpPage, renderMetadataPage } from "./interfacePages.ts";
import {
  renderAlertsPage,
  renderConfigurationPage,
  renderDeploymentPage,
  renderPerformancePage,
} from "./operationPages.ts";
import { renderGalleryPage, renderThreatsPage } from "./testPages.ts";

/** Renderers of the pages in docs/ that are generated, wholly or in part, by name. */
export const pages = {
  alerts: renderAlertsPage,
  cli: renderCliPage,
  configuration: renderConfigurationPage,
  contracts: renderContractsPage,
  deployment: renderDeploymentPage,
  errors: renderErrorReference,
  gallery: renderGalleryPage,
  "http-api": renderHttpPage,
  metadata: renderMetadataPage,
  performance: renderPerformancePage,
  threats: renderThreatsPage,
};
