import { ExternalLink } from "../../components/record/ExternalLink.tsx";
import { visibleText } from "../../components/record/visibleText.ts";
import styles from "./MediaLinks.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

function numbered(item: string, urls: string[]): { text: string; url: string }[] {
  return urls.map((url, index) => ({ text: urls.length === 1 ? item : `${item} ${index + 1}`, url }));
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/**
 * Pictures, videos and models of a service as links. They are not loaded here: their host would learn who looks,
 * and they are not part of what is hashed.
 */
export function MediaLinks({ metadata }: { metadata: ServiceMetadata }) {
  const links = [
    ...numbered("Screenshot", metadata.screenshotUrls),
    ...numbered("Video", metadata.videoUrls),
    ...numbered("3D asset", metadata.threeDAssetUrls),
    ...numbered("Icon", metadata.imageUrl === undefined ? [] : [metadata.imageUrl]),
    ...numbered("Portal", metadata.portalUrl === undefined ? [] : [metadata.portalUrl]),
  ];
  if (links.length === 0) return null;
  return (
    <div>
      <h3 className={styles.title}>Pictures and media</h3>
      <ol className={styles.frames}>
        {links.map(({ text, url }) => (
          <li key={text} className={styles.frame}>
            <ExternalLink url={url} text={text} />
            <span className={styles.host}>{visibleText(hostOf(url))}</span>
          </li>
        ))}
      </ol>
      <p className={styles.note}>
        These are links: loading them here would tell their hosts who looks at this record.
      </p>
    </div>
  );
}
