import { type EndpointProbe, type ServiceProbe, type ToolComparison, visibleText } from "@app-registry/sdk";

/** Most bytes of the diffs of one answer; with all else it stays below 64 KiB. */
const MOST_BYTES = 32_768;

/** A stranger's text on one line, which the database takes and people can read. */
const short = (text: unknown, most: number): string => {
  const whole = String(text);
  return visibleText((whole.length > most ? `${whole.slice(0, most)}…` : whole).toWellFormed());
};

/** An answer as it is kept and told: its texts are short and visible, and of long diffs it says how much is left out. */
export function shortProbe(probe: ServiceProbe): ServiceProbe {
  let left = MOST_BYTES;
  const fits = (text: string): boolean => {
    left -= Buffer.byteLength(JSON.stringify(text));
    return left >= 0;
  };

  function shortComparison({ outcome, changes }: ToolComparison): ToolComparison {
    const kept: ToolComparison["changes"] = [];
    for (const { name, breaks, diff, ...change } of changes) {
      const isFull = !fits(short(name, 100)) && kept.length > 0;
      if (isFull || kept.length === 100) {
        kept.at(-1)?.diff.push(`… and ${changes.length - kept.length} more changes`);
        break;
      }
      const lines = diff.map((line) => short(line, 400)).filter(fits);
      if (lines.length < diff.length) lines.push(`… and ${diff.length - lines.length} more lines`);
      kept.push({
        ...{ ...change, name: short(name, 100), diff: lines },
        ...(breaks !== undefined && { breaks: short(breaks, 200) }),
      });
    }
    return { outcome, changes: kept };
  }

  const shortEndpoint = ({ name, url, reason, protocolVersion, comparison, ...one }: EndpointProbe) => ({
    ...{ ...one, name: short(name, 100), url: short(url, 1_000), reason: short(reason, 400) },
    ...(protocolVersion !== undefined && { protocolVersion: short(protocolVersion, 40) }),
    ...(comparison && { comparison: shortComparison(comparison) }),
  });
  return {
    ...probe,
    ...(probe.reason !== undefined && { reason: short(probe.reason, 400) }),
    endpoints: probe.endpoints.map(shortEndpoint),
  };
}
