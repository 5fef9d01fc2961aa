import {
  formatProvenLine,
  formatVersion,
  type ProvenLine,
  parseVersion,
  type VerificationReport,
} from "@app-registry/sdk";
import { factNames, getReportOutcomes, summarizeReport } from "@app-registry/sdk/internal";
import { ImageResponse } from "next/og";
import { getBlock } from "viem/actions";
import { isIncomplete, markShapes } from "../../record/facts.ts";
import { dateTimeText } from "../../record/times.ts";
import { readServiceDocument } from "../../service/serviceDocument.ts";
import { verifyService } from "../../service/verifyService.ts";
import { refuseHidden } from "../http/problem.ts";
import { rawPathAfter } from "../http/request.ts";
import { renderSvg } from "../http/xml.ts";
import { readPath } from "../records/readApp.ts";
import { registry } from "../registry.ts";

/** Answers GET /api/badge/{versionedDid} with an SVG badge. */
export async function serveBadge(request: Request): Promise<Response> {
  const report = await readRequestedReport(request, "/api/badge/");
  return new Response(renderBadge(report), { headers: getHeaders("image/svg+xml; charset=utf-8", report) });
}

/** Answers GET /api/card/{versionedDid} with a PNG image. */
export async function serveCard(request: Request): Promise<Response> {
  const report = await readRequestedReport(request, "/api/card/");
  const { did, version } = report;
  const record =
    version && (await registry().client.getVersionRecord({ did, version: parseVersion(version) }));
  const document = record ? await readServiceDocument(record) : undefined;
  const card = renderCard(report, document?.ok ? document.metadata.name : undefined);
  return new Response(await card.arrayBuffer(), { headers: getHeaders("image/png", report) });
}

const getHeaders = (type: string, report: VerificationReport) => ({
  "content-type": type,
  "cache-control": `public, max-age=${cacheSeconds(report)}`,
});

/**
 * Returns the verification report of the version in the path, `<did>` or `<did>/v/<version>`. Shared with the service's
 * page.
 * @throws InvalidDidError, InvalidVersionError, ContractRevertError `AppNotFound`, VersionNotFoundError, ApiProblem 451
 *   `hidden`.
 */
async function readRequestedReport(request: Request, prefix: string): Promise<VerificationReport> {
  const { client, hidden } = registry();
  const { did, ...wanted } = readPath(rawPathAfter(request, prefix));
  refuseHidden(hidden, did);
  const [block, major] = await Promise.all([
    getBlock(client.publicClient),
    wanted.major ?? client.latestMajor(did),
  ]);
  if (wanted.minor === undefined) {
    const { latestVersion } = await client.getAppSummary({ did, major });
    return verifyService({ did, version: formatVersion(latestVersion), block });
  }
  const { version } = await client.getVersionRecord({
    did,
    version: { major, minor: wanted.minor, patch: wanted.patch },
  });
  return verifyService({ did, version: formatVersion(version), block });
}

const HEIGHT = 24;

/**
 * Average character width at 12 pixels in common sans serif fonts, in pixels. `textLength` enforces it in other fonts.
 */
const CHARACTER = 6.8;

const PADDING = 10;

/** Returns the first line of badges and cards, which states control as proven only while *control* passes. */
const getProvenLine = ({ did, facts }: VerificationReport): ProvenLine =>
  formatProvenLine(did, facts.control.outcome);

/** Colors of the light theme, because the site around a badge or a card is unknown. */
const pictureColors = {
  ...{ paper: "#faf7f0", ink: "#1b1916", soft: "#47423a", quiet: "#675f53" },
  ...{ pass: "#17663a", fail: "#a3211b", unknown: "#7d5200" },
};

/** Returns the six marks of a report, each as the paths of a box of 16 × 16. */
const getMarks = (report: VerificationReport) => {
  const outcomes = getReportOutcomes(report);
  return factNames.map((name) => {
    const outcome = outcomes[name] ?? "unknown";
    const { solid, line } = markShapes[outcome];
    const color = pictureColors[name === "live" && outcome === "unknown" ? "quiet" : outcome];
    return { name, solid, line, color, lineColor: solid === undefined ? color : pictureColors.paper };
  });
};

/**
 * Renders an SVG badge with the service's controller, the six marks and the sentence that sums them up. The proven name
 * is never truncated, and claimed metadata is never shown.
 */
export function renderBadge(report: VerificationReport): string {
  const { before, name, after } = getProvenLine(report);
  const { paper, ink } = pictureColors;
  const facts = summarizeReport(report);
  const lead = `${before} ${name}${after}`;
  const leadWidth = measureWidth(lead);
  const marksWidth = factNames.length * 16;
  const width = leadWidth + PADDING + marksWidth + measureText(facts) + 2 * PADDING;
  const label = `${lead}. ${facts}`;
  const marks = getMarks(report).map(({ solid, line, color, lineColor }, index) => ({
    "@transform": `translate(${leadWidth + PADDING + index * 16} 5) scale(.875)`,
    path: [
      ...(solid === undefined ? [] : [{ "@d": solid, "@fill": color }]),
      { "@d": line, "@fill": "none", "@stroke": lineColor, "@stroke-width": 1.7 },
    ],
  }));
  return renderSvg({
    ...{ "@width": width, "@height": HEIGHT, "@role": "img", "@aria-label": label },
    title: label,
    rect: [
      { "@width": width, "@height": HEIGHT, "@rx": 3, "@fill": paper },
      {
        ...{ "@x": 0.5, "@y": 0.5, "@width": width - 1, "@height": HEIGHT - 1, "@rx": 3 },
        ...{ "@fill": "none", "@stroke": "#8a8171" },
      },
    ],
    path: { "@d": `M0 3a3 3 0 0 1 3-3h${leadWidth - 3}v${HEIGHT}H3a3 3 0 0 1-3-3z`, "@fill": ink },
    g: [
      ...marks,
      {
        ...{ "@font-family": "Verdana,DejaVu Sans,sans-serif", "@font-size": 12 },
        text: [textAt(PADDING, lead, paper), textAt(leadWidth + 2 * PADDING + marksWidth, facts, ink)],
      },
    ],
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

/** Characters of the only bundled font. For any other character the library would download a font. */
const SUPPORTED_CHARACTERS = /^[\u0020-\u007e\u00a1-\u017f\u2018-\u201d\u2026]+$/;

const MAX_NAME = 80;

/**
 * Returns the name as the card shows it, with an ellipsis if it is too long, or `undefined` if the font lacks a
 * character.
 */
export function cardName(name: string | undefined): string | undefined {
  const text = name?.trim() ?? "";
  if (!SUPPORTED_CHARACTERS.test(text)) return undefined;
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).trimEnd()}…` : text;
}

/** Returns the font size at which the proven name fits on the card, in pixels. */
const nameSize = (length: number): number =>
  length <= 28 ? 64 : length <= 60 ? 44 : length <= 140 ? 30 : 20;

/**
 * Renders the share image of a service's page, 1200 × 630 pixels. The proven name is first and largest; the claimed
 * name is smaller and marked as claimed. The image loads no other resources.
 */
export function renderCard(report: VerificationReport, claimedName: string | undefined): ImageResponse {
  const { before, name, after } = getProvenLine(report);
  const shownName = cardName(claimedName);
  const { paper, ink, soft, quiet } = pictureColors;
  return new ImageResponse(
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        width: "100%",
        height: "100%",
        padding: "64px 72px",
        background: paper,
        color: ink,
      }}
    >
      <div style={{ display: "flex", fontSize: 26, color: quiet }}>App Registry</div>
      <div style={{ display: "flex", flexDirection: "column" }}>
        <div style={{ display: "flex", fontSize: 32, color: soft }}>{before}</div>
        <div style={{ display: "flex", fontSize: nameSize(name.length), wordBreak: "break-all" }}>{name}</div>
        {after === "" ? null : (
          <div style={{ display: "flex", fontSize: 32 }}>{after.replace(/^; /, "")}</div>
        )}
        {shownName === undefined ? null : (
          <div style={{ display: "flex", marginTop: 32, fontSize: 30, color: quiet }}>
            {`Claimed name: “${shownName}”`}
          </div>
        )}
      </div>
      <div style={{ display: "flex", flexDirection: "column", fontSize: 26, color: soft }}>
        <div style={{ display: "flex", gap: 12, marginBottom: 12 }}>
          {getMarks(report).map(({ name, solid, line, color, lineColor }) => (
            <svg key={name} viewBox="0 0 16 16" width={44} height={44} aria-hidden="true">
              {solid === undefined ? null : <path d={solid} fill={color} />}
              <path d={line} fill="none" stroke={lineColor} strokeWidth={1.7} />
            </svg>
          ))}
        </div>
        <div style={{ display: "flex" }}>{summarizeReport(report)}</div>
        <div style={{ display: "flex", color: quiet }}>
          {`Checked ${dateTimeText(new Date(report.checkedAt * 1_000))}`}
        </div>
      </div>
    </div>,
    { width: 1200, height: 630 },
  );
}
