import { ExternalLink } from "../../components/record/labels.tsx";
import type { ResolveLink } from "./createLinkResolver.ts";

type PlaceWordsProps = { url: string; placeOf: ResolveLink };

/** Names the destination of an address. */
export function PlaceWords({ url, placeOf }: PlaceWordsProps) {
  const place = placeOf(url);
  if (place === undefined) return null;
  return (
    <span className={`small anywhere ${place.isInside ? "soft" : "strong"}`} data-place translate="no">
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
