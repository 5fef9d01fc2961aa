import type { VersionRecord } from "@app-registry/sdk";
import { picturePath } from "../../components/record/Icon.tsx";
import { Picture } from "../../components/record/Picture.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import styles from "./service.module.css";

/** Maximum number of screenshots. Each costs its host a request. */
const MAX_SCREENSHOTS = 8;

const NOTE =
  "Provided by the publisher. Not verified. Only PNG, JPEG, WebP, AVIF and GIF pictures are drawn.";

type PicturesSectionProps = { record: VersionRecord; count: number };

/** Shows this server's copies of the screenshots. They are below the facts, because a picture can claim anything. */
export function PicturesSection({ record: { did, version }, count }: PicturesSectionProps) {
  if (count === 0) return null;
  const pictures = Array.from({ length: Math.min(count, MAX_SCREENSHOTS) }, (_, index) => ({
    source: picturePath(did, version, `/screenshotUrls/${index}`),
    alt: `Screenshot ${index + 1} provided by the publisher`,
  }));
  return (
    <LedgerSection title="Pictures" id="pictures" note={NOTE}>
      <ul className={`row ${styles.pictures}`}>
        {pictures.map((picture) => (
          <li key={picture.source}>
            <Picture {...picture} />
          </li>
        ))}
      </ul>
    </LedgerSection>
  );
}
