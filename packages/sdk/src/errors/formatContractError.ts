import { type AppStatus, appStatusLabels } from "../client/records.ts";

const formats: Record<string, (value: unknown) => string> = {
  time: (value) => formatTime(Number(value)),
  status: (value) => appStatusLabels[Number(value) as AppStatus] ?? String(value),
};

/** Formats a time in Unix seconds as ISO 8601, or as a number if it is beyond the range of a Date. */
function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}

/** Replaces `{name}` and `{name:format}` in a message by the error's arguments. */
export function formatContractError(text: string, args: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) =>
    (formats[format ?? ""] ?? String)(args[name]),
  );
}
