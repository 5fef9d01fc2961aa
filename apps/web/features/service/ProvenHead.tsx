import { domainToUnicode } from "node:url";
import { siteOf } from "@app-registry/outbound/site";
import { type Fact, parseDid, provenLine } from "@app-registry/sdk";
import { StatusMark } from "../../components/record/facts.tsx";
import { internationalLabels, type LabelScripts } from "../../components/record/hostScripts.ts";
import { visibleText } from "../../components/record/visibleText.ts";
import styles from "./proven.module.css";

/** Who is proven, in the page's largest text: the host, the path or the contract, in full. */
export function ProvenHead({ did, control }: { did: string; control: Fact }) {
  const isControlled = control.outcome === "pass";
  const { kind, name, before, after } = provenLine(did, isControlled);
  const parsed = parseDid(did);
  const host = parsed.method === "web" ? parsed.host : undefined;
  const site = kind === "host" && host !== undefined ? siteOf(host) : undefined;
  return (
    <header className={`stack ${styles.proven}`} data-control={control.outcome}>
      <h1 className={styles.line}>
        {isControlled ? null : <StatusMark outcome={control.outcome} />}
        <span className={styles.words}>{before}</span>{" "}
        <strong className={styles.name} data-proven={kind} dir="ltr" translate="no">
          {site && host !== site ? <SubdomainName name={name} site={site} /> : name}
        </strong>
        {after === "" ? null : <span className={styles.words}>{after}</span>}
      </h1>
      {site && host !== site ? (
        <p className={styles.note}>
          A host of the site{" "}
          <strong dir="ltr" translate="no">
            {site}
          </strong>
          .
        </p>
      ) : null}
      {kind === "path" ? <p className={styles.note}>Others may hold other paths of {host}.</p> : null}
      {kind === "contract" ? (
        <p className={styles.note}>Compare every character: addresses can be made to look alike.</p>
      ) : null}
      {host === undefined ? null : <InternationalName host={host} />}
    </header>
  );
}

/** A host below its site: what the site's owner chose freely is set lighter. */
function SubdomainName({ name, site }: { name: string; site: string }) {
  const start = name.lastIndexOf(site);
  return (
    <>
      <span className={styles.subdomain}>{name.slice(0, start)}</span>
      {name.slice(start)}
    </>
  );
}

/** An internationalised host in Unicode, which is not what the DID holds, and what a reader can't see of its letters. */
function InternationalName({ host }: { host: string }) {
  const unicode = domainToUnicode(host);
  const labels = internationalLabels(unicode);
  if (labels.length === 0) return null;
  return (
    <>
      <p className={styles.note}>
        In Unicode it is written <bdi translate="no">{visibleText(unicode)}</bdi>. What is proven is the form
        above.
      </p>
      {labels.map((label) => (
        <LettersNote key={label.label} {...label} />
      ))}
    </>
  );
}

const list = new Intl.ListFormat("en");

function LettersNote({ label, scripts, warning, looksLike }: LabelScripts) {
  const name = <bdi translate="no">{visibleText(label)}</bdi>;
  if (warning === undefined) {
    return scripts.every((script) => script === "Latin") ? null : (
      <p className={styles.note}>
        “{name}” is written in {list.format(scripts)} letters.
      </p>
    );
  }
  return (
    <p className={styles.warning} data-letters={warning}>
      {warning === "mixed" ? (
        <>
          <strong>Mixed letters.</strong> “{name}” mixes letters that no language mixes:{" "}
          {list.format(scripts)}. It may be made to look like another name.
        </>
      ) : (
        <>
          <strong>Look-alike letters.</strong> “{name}” is written in {list.format(scripts)} letters, and
          looks like “{looksLike}” in Latin ones.
        </>
      )}
    </p>
  );
}
