import { appPath, type VersionRecord } from "@app-registry/sdk";
import { LedgerSection } from "../../components/shell/shell.tsx";
import type { ServiceMetadata } from "../../lib/service/serviceMetadata.ts";
import { Pictures } from "./Pictures.tsx";

/** Maximum number of screenshots. Each costs its host a request. */
const MAX_SCREENSHOTS = 8;

type PicturesSectionProps = { record: VersionRecord; metadata: ServiceMetadata };

/**
 * Shows this server's copies of the icon and screenshots, so that the browser sends no request to other hosts. They
 * are below the facts, because a picture can claim anything.
 */
export function PicturesSection({ record, metadata }: PicturesSectionProps) {
  const { image, screenshotUrls } = metadata;
  const count = Math.min(screenshotUrls.length, MAX_SCREENSHOTS);
  if (image === undefined && count === 0) return null;
  const base = appPath(record.did, record.version).replace(/^\/apps\//, "/api/picture/");
  const source = (pointer: string) => `${base}?pointer=${encodeURIComponent(pointer)}`;
  return (
    <LedgerSection title="Pictures" id="pictures" note="Provided by the publisher. Not verified.">
      <Pictures
        icon={image === undefined ? undefined : source("/image")}
        screenshots={Array.from({ length: count }, (_, index) => source(`/screenshotUrls/${index}`))}
      />
    </LedgerSection>
  );
}
