import { appPath, type VersionRecord } from "@app-registry/sdk";
import { LedgerSection } from "../../components/shell/shell.tsx";
import styles from "./pictures.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

/** More are named in the document; each costs its host a request. */
const MAX_SCREENSHOTS = 8;

type PicturesSectionProps = { record: VersionRecord; metadata: ServiceMetadata };

/**
 * The icon and the screenshots that a document names, as this server copied them: the visitor's browser asks no
 * stranger's host. They stand below the facts, because a picture can claim anything.
 */
export function PicturesSection({ record, metadata }: PicturesSectionProps) {
  const { image, screenshotUrls } = metadata;
  const count = Math.min(screenshotUrls.length, MAX_SCREENSHOTS);
  if (image === undefined && count === 0) return null;
  const base = appPath(record.did, record.version).replace(/^\/apps\//, "/api/picture/");
  const source = (pointer: string) => `${base}?pointer=${encodeURIComponent(pointer)}`;
  return (
    <LedgerSection title="Pictures" id="pictures" note="Provided by the publisher. Not verified.">
      <ul className={styles.pictures}>
        {image === undefined ? null : (
          <li className={styles.icon}>
            {/* biome-ignore lint/performance/noImgElement: the route has drawn it in its size already */}
            <img src={source("/image")} alt="Icon provided by the publisher" loading="lazy" />
          </li>
        )}
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pointer is the index
          <li key={index} className={styles.screenshot}>
            {/* biome-ignore lint/performance/noImgElement: the route has drawn it in its size already */}
            <img
              src={source(`/screenshotUrls/${index}`)}
              alt={`Screenshot ${index + 1} provided by the publisher`}
              loading="lazy"
            />
          </li>
        ))}
      </ul>
    </LedgerSection>
  );
}
