import { ExternalLink } from "../../components/record/labels.tsx";
import type { ResolveLink } from "./createLinkResolver.ts";
import styles from "./proven.module.css";

type PlaceWordsProps = { url: string; placeOf: ResolveLink };

/** Names the destination of an address. */
export function PlaceWords({ url, placeOf }: PlaceWordsProps) {
  const place = placeOf(url);
  if (place === undefined) return null;
  return (
    <span className={styles.place} data-place={place.isInside ? "inside" : "outside"} translate="no">
      {place.words}
    </span>
  );
}

/** Renders a publisher's link and names its destination. */
export function PlacedLink({ text, ...props }: PlaceWordsProps & { text?: string }) {
  return (
    <span>
      <ExternalLink url={props.url} {...(text !== undefined && { text })} /> <PlaceWords {...props} />
    </span>
  );
}
