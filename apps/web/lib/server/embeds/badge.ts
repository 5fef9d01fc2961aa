import { formatProvenLine, type ProvenLine, type VerificationReport } from "@app-registry/sdk";
import { reportSummary } from "../../../components/record/factSummary.ts";
import { isIncomplete } from "../../../components/record/facts.tsx";
import { escapeXml } from "../../../features/service/badgeCode.ts";

const HEIGHT = 24;
/** Width of a character at 12 pixels in common sans serif fonts; `textLength` makes it so in all others. */
const CHARACTER = 6.8;
const PADDING = 10;

/** The line that a badge and a card lead with: what is proven while *control* passes. */
export const getProvenLine = ({ did, facts }: VerificationReport): ProvenLine =>
  formatProvenLine(did, facts.control.outcome === "pass");

/**
 * A badge (SVG): who controls the service, then how many of its checked facts pass and which do not. The proven name is
 * never cut. Nothing of the service's metadata is in it.
 */
export function renderBadge(report: VerificationReport): string {
  const { before, name, after } = getProvenLine(report);
  const facts = reportSummary(report.facts);
  const lead = `${before} ${name}${after}`;
  const leadWidth = measureWidth(lead);
  const width = leadWidth + measureWidth(facts);
  const label = escapeXml(`${lead}. ${facts}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="3" fill="#faf7f0"/>`,
    `<path d="M0 3a3 3 0 0 1 3-3h${leadWidth - 3}v${HEIGHT}H3a3 3 0 0 1-3-3z" fill="#1b1916"/>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="3" fill="none" stroke="#8a8171"/>`,
    `<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="12">`,
    textAt(PADDING, lead, "#faf7f0"),
    textAt(leadWidth + PADDING, facts, "#1b1916"),
    "</g></svg>",
  ].join("");
}

const measureText = (text: string): number => Math.round(text.length * CHARACTER);
const measureWidth = (text: string): number => measureText(text) + 2 * PADDING;

const textAt = (x: number, text: string, fill: string): string =>
  `<text x="${x}" y="16" fill="${fill}" textLength="${measureText(text)}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`;

/** Seconds for which an answer about facts may be kept: shorter when something did not answer. */
export const cacheSeconds = ({ facts }: VerificationReport): number => (isIncomplete(facts) ? 30 : 300);
