import { type AppStatus, appStatusLabels } from "../client/records.ts";

const formats: Record<string, (value: unknown) => string> = {
  time: (value) => formatTime(Number(value)),
  status: (value) => appStatusLabels[Number(value) as AppStatus] ?? String(value),
};

/** Unix seconds as ISO 8601, as far as a Date reaches. */
function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace(".000Z", "Z");
}

/** Fills `{name}` and `{name:format}` in a text of the contract error table with the error's arguments. */
export function formatContractError(text: string, args: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, format: string | undefined) =>
    (formats[format ?? ""] ?? String)(args[name]),
  );
}
