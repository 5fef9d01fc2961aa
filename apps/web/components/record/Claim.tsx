type ClaimProps = {
  /** Kind of text, such as "name" or "publisher". */
  kind: string;
  /** The publisher's text, without invisible characters or approval marks. */
  text: string;
  className?: string | undefined;
};

/**
 * A text of the publisher, in quotation marks. Render it only inside an element with `data-claims`, next to a visible
 * label (`data-claims-label`) that calls its content claimed. Screen readers hear the label at each text.
 */
export function Claim({ kind, text, className }: ClaimProps) {
  return (
    <>
      <span className="visuallyHidden">Claimed {kind}: </span>
      <span className={className}>
        “<bdi data-claim={kind}>{text}</bdi>”
      </span>
    </>
  );
}
