import { type EndpointProbe, type ServiceProbe, type ToolComparison, visibleText } from "@app-registry/sdk";

/** Limit of all diffs of one result, in bytes. The whole result stays below 64 KiB. */
const MAX_DIFF_BYTES = 32_768;

/** Returns untrusted text as one visible line that PostgreSQL can store. */
const truncateLine = (text: unknown, most: number): string => {
  const whole = String(text);
  return visibleText((whole.length > most ? `${whole.slice(0, most)}…` : whole).toWellFormed());
};

/** Shortens a probe result: its texts become short and visible, and long diffs end with the number of omitted lines. */
export function truncateProbe(probe: ServiceProbe): ServiceProbe {
  let left = MAX_DIFF_BYTES;
  const fits = (text: string): boolean => {
    left -= Buffer.byteLength(JSON.stringify(text));
    return left >= 0;
  };

  function shortComparison({ outcome, changes }: ToolComparison): ToolComparison {
    const kept: ToolComparison["changes"] = [];
    for (const { name, breaks, diff, ...change } of changes) {
      const isFull = !fits(truncateLine(name, 100)) && kept.length > 0;
      if (isFull || kept.length === 100) {
        kept.at(-1)?.diff.push(`… and ${changes.length - kept.length} more changes`);
        break;
      }
      const lines = diff.map((line) => truncateLine(line, 400)).filter(fits);
      if (lines.length < diff.length) lines.push(`… and ${diff.length - lines.length} more lines`);
      kept.push({
        ...{ ...change, name: truncateLine(name, 100), diff: lines },
        ...(breaks !== undefined && { breaks: truncateLine(breaks, 200) }),
      });
    }
    return { outcome, changes: kept };
  }

  const shortEndpoint = ({ name, url, reason, protocolVersion, comparison, ...one }: EndpointProbe) => ({
    ...{
      ...one,
      name: truncateLine(name, 100),
      url: truncateLine(url, 1_000),
      reason: truncateLine(reason, 400),
    },
    ...(protocolVersion !== undefined && { protocolVersion: truncateLine(protocolVersion, 40) }),
    ...(comparison && { comparison: shortComparison(comparison) }),
  });
  return {
    ...probe,
    ...(probe.reason !== undefined && { reason: truncateLine(probe.reason, 400) }),
    endpoints: probe.endpoints.map(shortEndpoint),
  };
}
