import type { VerificationReport } from "@app-registry/sdk";
import { ImageResponse } from "next/og";
import { reportSummary } from "../../../components/record/factSummary.ts";
import { dateTimeText } from "../../../components/record/times.ts";
import { getProvenLine } from "./badge.ts";

/** What the picture's one font draws. For any other character the library would ask a host on the internet. */
const SUPPORTED_CHARACTERS = /^[\u0020-\u007e\u00a1-\u017f\u2018-\u201d\u2026]+$/;
const MAX_NAME = 80;

/** The name as the card shows it; undefined when it can't be drawn. A cut name ends in an ellipsis. */
export function cardName(name: string | undefined): string | undefined {
  const text = name?.trim() ?? "";
  if (!SUPPORTED_CHARACTERS.test(text)) return undefined;
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME).trimEnd()}…` : text;
}

/** Pixels of the proven name, so that it is shown in full. */
const nameSize = (length: number): number =>
  length <= 28 ? 64 : length <= 60 ? 44 : length <= 140 ? 30 : 20;

/**
 * The picture that chats and social sites show for a service's page, 1200 by 630 pixels. It leads with what is
 * proven; the name is smaller and marked as what the service calls itself. It loads nothing.
 */
export function renderCard(report: VerificationReport, claimedName: string | undefined): ImageResponse {
  const { before, name, after } = getProvenLine(report);
  const shownName = cardName(claimedName);
  return new ImageResponse(
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        justifyContent: "space-between",
        width: "100%",
        height: "100%",
        padding: "64px 72px",
        background: "#faf7f0",
        color: "#1b1916",
      }}
    >
      <div style={{ display: "flex", fontSize: 26, color: "#675f53" }}>App Registry</div>
      <div style={{ display: "flex", flexDirection: "column" }}>
        <div style={{ display: "flex", fontSize: 32, color: "#47423a" }}>{before}</div>
        <div style={{ display: "flex", fontSize: nameSize(name.length), wordBreak: "break-all" }}>{name}</div>
        {after === "" ? null : (
          <div style={{ display: "flex", fontSize: 32 }}>{after.replace(/^; /, "")}</div>
        )}
        {shownName === undefined ? null : (
          <div style={{ display: "flex", marginTop: 32, fontSize: 30, color: "#675f53" }}>
            {`Claimed name: “${shownName}”`}
          </div>
        )}
      </div>
      <div style={{ display: "flex", flexDirection: "column", fontSize: 26, color: "#47423a" }}>
        <div style={{ display: "flex" }}>{reportSummary(report.facts)}</div>
        <div style={{ display: "flex", color: "#675f53" }}>
          {`Checked ${dateTimeText(new Date(report.checkedAt * 1_000))}`}
        </div>
      </div>
    </div>,
    { width: 1200, height: 630 },
  );
}
