import { domainToUnicode } from "node:url";
import { siteOf } from "@app-registry/outbound/site";
import { type Fact, parseDid, provenLine } from "@app-registry/sdk";
import { StatusMark } from "../../components/record/facts.tsx";
import { internationalLabels } from "../../components/record/hostScripts.ts";
import { LettersNote } from "../../components/record/LettersNote.tsx";
import { SubdomainName } from "../../components/record/SubdomainName.tsx";
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
        {isControlled ? null : (
          <>
            <StatusMark outcome={control.outcome} />{" "}
          </>
        )}
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
      {isControlled && control.evidence?.role === "minter" ? (
        <p className={styles.warning}>
          The account that published it controls it. The one that holds it now does not.
        </p>
      ) : null}
    </header>
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
        <LettersNote key={label.label} className={label.warning ? styles.warning : styles.note} {...label} />
      ))}
    </>
  );
}
