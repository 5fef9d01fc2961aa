import { visibleText } from "../../components/record/visibleText.ts";

const labels: Record<string, string> = {
  android: "Android",
  ios: "iOS",
  linux: "Linux",
  macos: "macOS",
  web: "the web",
  windows: "Windows",
};

/** A platform's key in the metadata, as people read it: `ios` is iOS. */
export function platformLabel(key: string): string {
  return labels[key.toLowerCase()] ?? visibleText(key);
}
