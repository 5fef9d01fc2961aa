import type { VerificationReport } from "@app-registry/sdk";
import { summarizeReport } from "@app-registry/sdk/internal";
import { ImageResponse } from "next/og";
import { dateTimeText } from "../../record/times.ts";
import { getMarks, getProvenLine, pictureColors } from "./badge.ts";

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
