import { ExternalLink } from "../../components/record/ExternalLink.tsx";
import styles from "./MediaLinks.module.css";
import type { ServiceMetadata } from "./serviceMetadata.ts";

/**
 * Pictures, videos and models of a service as links. They are not loaded here: their host would learn who looks,
 * and they are not part of what is hashed.
 */
export function MediaLinks({ metadata }: { metadata: ServiceMetadata }) {
  const groups = [
    { title: "Screenshots", item: "Screenshot", urls: metadata.screenshotUrls },
    { title: "Videos", item: "Video", urls: metadata.videoUrls },
    { title: "3D assets", item: "3D asset", urls: metadata.threeDAssetUrls },
    { title: "Icon", item: "Icon", urls: metadata.imageUrl === undefined ? [] : [metadata.imageUrl] },
  ].filter(({ urls }) => urls.length > 0);
  if (groups.length === 0) return null;
  return (
    <div className={styles.media}>
      {groups.map(({ title, item, urls }) => (
        <div key={title}>
          <h3 className={styles.title}>{title}</h3>
          <ol className={styles.frames}>
            {urls.map((url, index) => (
              <li key={url} className={styles.frame}>
                <ExternalLink url={url} text={urls.length === 1 ? item : `${item} ${index + 1}`} />
                <span className={styles.host}>{hostOf(url)}</span>
              </li>
            ))}
          </ol>
        </div>
      ))}
      <p className={styles.note}>
        Pictures are links: loading them here would tell their hosts who looks at this record.
      </p>
    </div>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}
