import { formatProvenLine, type ProvenLine, type VerificationReport } from "@app-registry/sdk";
import { reportSummary } from "../../record/factSummary.ts";
import { isIncomplete } from "../../record/facts.ts";
import { renderSvg } from "../xml.ts";

const HEIGHT = 24;
/**
 * Average character width at 12 pixels in common sans serif fonts, in pixels. `textLength` enforces it in other fonts.
 */
const CHARACTER = 6.8;
const PADDING = 10;

/** Returns the first line of badges and cards, which states control as proven only while *control* passes. */
export const getProvenLine = ({ did, facts }: VerificationReport): ProvenLine =>
  formatProvenLine(did, facts.control.outcome);

/**
 * Renders an SVG badge with the service's controller, the number of passing facts and the facts that do not pass. The
 * proven name is never truncated, and claimed metadata is never shown.
 */
export function renderBadge(report: VerificationReport): string {
  const { before, name, after } = getProvenLine(report);
  const facts = reportSummary(report.facts);
  const lead = `${before} ${name}${after}`;
  const leadWidth = measureWidth(lead);
  const width = leadWidth + measureWidth(facts);
  const label = `${lead}. ${facts}`;
  return renderSvg({
    ...{ "@width": width, "@height": HEIGHT, "@role": "img", "@aria-label": label },
    title: label,
    rect: [
      { "@width": width, "@height": HEIGHT, "@rx": 3, "@fill": "#faf7f0" },
      {
        ...{ "@x": 0.5, "@y": 0.5, "@width": width - 1, "@height": HEIGHT - 1, "@rx": 3 },
        ...{ "@fill": "none", "@stroke": "#8a8171" },
      },
    ],
    path: { "@d": `M0 3a3 3 0 0 1 3-3h${leadWidth - 3}v${HEIGHT}H3a3 3 0 0 1-3-3z`, "@fill": "#1b1916" },
    g: {
      ...{ "@font-family": "Verdana,DejaVu Sans,sans-serif", "@font-size": 12 },
      text: [textAt(PADDING, lead, "#faf7f0"), textAt(leadWidth + PADDING, facts, "#1b1916")],
    },
  });
}

const measureText = (text: string): number => Math.round(text.length * CHARACTER);
const measureWidth = (text: string): number => measureText(text) + 2 * PADDING;

const textAt = (x: number, text: string, fill: string) => ({
  ...{ "@x": x, "@y": 16, "@fill": fill, "@textLength": measureText(text) },
  ...{ "@lengthAdjust": "spacingAndGlyphs", "#": text },
});

/**
 * Returns the cache time of a response about facts, in seconds. Reports with unanswered checks are cached for less
 * time.
 */
export const cacheSeconds = ({ facts }: VerificationReport): number => (isIncomplete(facts) ? 30 : 300);
