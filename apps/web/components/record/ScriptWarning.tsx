import { visibleText } from "@app-registry/sdk";
import type { LabelScripts } from "../../lib/record/claims.ts";

const list = new Intl.ListFormat("en");

/** Describes the scripts of a host's label and warns of mixed or look-alike letters. Empty for plain Latin. */
export function ScriptWarning({
  label,
  scripts,
  warning,
  looksLike,
  className,
}: LabelScripts & { className?: string | undefined }) {
  const name = <bdi translate="no">{visibleText(label)}</bdi>;
  if (warning === undefined) {
    return scripts.every((script) => script === "Latin") ? null : (
      <p className={className}>
        “{name}” uses {list.format(scripts)} letters.
      </p>
    );
  }
  return (
    <p className={className} data-letters={warning}>
      {warning === "mixed" ? (
        <>
          <strong>Mixed letters.</strong> “{name}” mixes letters from scripts that are not normally used
          together: {list.format(scripts)}. It may imitate another name.
        </>
      ) : (
        <>
          <strong>Look-alike letters.</strong> “{name}” uses {list.format(scripts)} letters that look like “
          {looksLike}” in Latin letters.
        </>
      )}
    </p>
  );
}
