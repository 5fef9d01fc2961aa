import type { VersionRecord } from "@app-registry/sdk";
import { picturePath } from "../../components/record/Icon.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { Pictures } from "./Pictures.tsx";

/** Maximum number of screenshots. Each costs its host a request. */
const MAX_SCREENSHOTS = 8;

type PicturesSectionProps = { record: VersionRecord; count: number };

/** Shows this server's copies of the screenshots. They are below the facts, because a picture can claim anything. */
export function PicturesSection({ record: { did, version }, count }: PicturesSectionProps) {
  if (count === 0) return null;
  return (
    <LedgerSection title="Pictures" id="pictures" note="Provided by the publisher. Not verified.">
      <Pictures
        urls={Array.from({ length: Math.min(count, MAX_SCREENSHOTS) }, (_, index) =>
          picturePath(did, version, `/screenshotUrls/${index}`),
        )}
      />
    </LedgerSection>
  );
}
