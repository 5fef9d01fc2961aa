import { visibleText } from "@app-registry/sdk";
import type { LabelScripts } from "../../lib/record/claims.ts";

type ClaimProps = {
  /** Kind of text, such as "name" or "publisher". */
  kind: string;
  /** The publisher's text, without invisible characters or approval marks. */
  text: string;
  className?: string | undefined;
};

/**
 * A text of the publisher, in quotation marks. Render it only inside an element with `data-claims`, next to a visible
 * label (`data-claims-label`) that calls its content claimed. Screen readers hear the label at each text.
 */
export function Claim({ kind, text, className }: ClaimProps) {
  return (
    <>
      <span className="visuallyHidden">Claimed {kind}: </span>
      <span className={className}>
        “<bdi data-claim={kind}>{text}</bdi>”
      </span>
    </>
  );
}

/** Renders a host below its site. The subdomain is lighter: the site's owner can choose any text for it. */
export function SubdomainName({ name, site }: { name: string; site: string }) {
  const start = name.lastIndexOf(site);
  return (
    <>
      <span className="soft" style={{ fontWeight: 400 }}>
        {name.slice(0, start)}
      </span>
      <span style={{ display: "inline-block", maxWidth: "100%" }}>{name.slice(start)}</span>
    </>
  );
}

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
