import { MAX_NAME_LENGTH, visibleText } from "@app-registry/sdk";
import { latinLookalikes } from "./hostScripts.ts";

/** Emoji and symbols that look like a mark of approval, each with its replacement. */
const marks: [RegExp, string][] = [
  [/[\u2705\u2713\u2714\u2611\u{1F5F8}\u{1F5F9}\u{1F197}]\ufe0f?/gu, "[check mark]"],
  [/[\u{1F6E1}\u{1F530}]\ufe0f?/gu, "[shield]"],
  [/[\u{1F3C5}\u{1F396}\u{1F947}]\ufe0f?/gu, "[medal]"],
  [/[\u{1F512}\u{1F510}]\ufe0f?/gu, "[lock]"],
];

/** Replaces symbols that a reader could take for a mark of this registry with words. */
export function replaceApprovalMarks(text: string): string {
  return marks.reduce((result, [mark, word]) => result.replace(mark, word), text);
}

/**
 * Returns a claimed name on one line, without approval marks or invisible characters, and cut to the limit of metadata.
 */
export function claimedName(text: string): string {
  const name = visibleText(text);
  const characters = [...name];
  const cut =
    characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH).join("")} …` : name;
  return replaceApprovalMarks(cut);
}

const approval =
  /controlledby|verif|vérif|geprüft|certif|zertif|official|ofici|offizi|authentic|audited|attested|approved|endorsed|guaranteed|trusted|proven|проверен|официал|認証|认证|認定|官方|公式/;

/** Returns true if a claim uses the words or marks of a registry: "verified", "official", a check mark. */
export function soundsOfficial(text: string): boolean {
  const plain = latinLookalikes(
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{S}\p{So}]/gu, ""),
  );
  return (
    marks.some(([mark]) => text.search(mark) !== -1) ||
    approval.test(plain) ||
    approval.test(text.toLowerCase())
  );
}
