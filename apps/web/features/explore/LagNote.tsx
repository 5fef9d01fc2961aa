type LagNoteProps = {
  /** Blocks of the chain after the one of the answer; null or undefined when nobody knows. */
  lag: number | null | undefined;
  /** Up to so many, `/api/health` calls the index healthy. */
  limit: number;
};

/** A quiet line over a list of an index that is behind the chain; nothing while it keeps up. */
export function LagNote({ lag, limit }: LagNoteProps) {
  if (lag === null || lag === undefined || lag <= limit) return null;
  return (
    <p className="quiet">
      This list is {lag.toLocaleString("en")} blocks behind the chain, so recent changes may be missing. Each
      service's page reads the chain itself.
    </p>
  );
}
