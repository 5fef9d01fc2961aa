type LagNoteProps = {
  /** Number of blocks that the index is behind the chain. Null or undefined if unknown. */
  lag: number | null | undefined;
  /** Maximum lag at which `/api/health` reports a healthy index, in blocks. */
  limit: number;
};

/** Notes that the index is behind the chain. Renders nothing up to the limit. */
export function LagNote({ lag, limit }: LagNoteProps) {
  if (lag === null || lag === undefined || lag <= limit) return null;
  return (
    <p className="quiet">
      This list is {lag.toLocaleString("en")} blocks behind the chain, so recent changes may be missing. Each
      service's page reads the chain itself.
    </p>
  );
}
