import { Problem } from "../../components/record/Problem.tsx";

type LagNoteProps = {
  /** Number of blocks that the index is behind the chain. Null if the chain doesn't respond, undefined for its answer. */
  lag: number | null | undefined;
  /** Maximum lag at which `/api/health` reports a healthy index, in blocks. */
  limit: number;
};

/** Notes that the chain doesn't respond, or that the index is behind it. Renders nothing up to the limit. */
export function LagNote({ lag, limit }: LagNoteProps) {
  if (lag === null) {
    return (
      <Problem
        tone="unknown"
        title="Not checked now: the chain isn't responding"
        why="The facts below are the last known ones. Check a service again before you rely on it."
      />
    );
  }
  if (lag === undefined || lag <= limit) return null;
  return (
    <p className="quiet">
      This list is {lag.toLocaleString("en")} blocks behind the chain, so recent changes may be missing. Each
      service's page reads the chain itself.
    </p>
  );
}
