import { CopyBlock } from "../../../components/record/documents.tsx";
import styles from "../service.module.css";
import type { InstallVariant } from "./clients.ts";

type InstallTabsProps = {
  /** Name of the group for screen readers: "Use the endpoint MCP with". */
  legend: string;
  /** Radio button name, unique on the page. */
  name: string;
  variants: InstallVariant[];
};

/** Renders alternatives as tabs. They are radio buttons with CSS, so they work without JavaScript. */
export function InstallTabs({ legend, name, variants }: InstallTabsProps) {
  if (variants.length === 0) return null;
  return (
    <fieldset className="bar" style={{ gap: 0 }}>
      <legend className="visuallyHidden">{legend}</legend>
      {variants.map((variant, index) => [
        <label key={`${variant.label} tab`} className={styles.tab}>
          <input type="radio" name={name} className="visuallyHidden" defaultChecked={index === 0} />
          {variant.label}
        </label>,
        <div key={variant.label} className={`stack ${styles.variant}`}>
          <Variant variant={variant} name={`${name}-${index}`} />
        </div>,
      ])}
    </fieldset>
  );
}

function Variant({ variant, name }: { variant: InstallVariant; name: string }) {
  const { label, note, links = [], blocks, variants = [] } = variant;
  return (
    <>
      {note === undefined ? null : <p className="soft">{note}</p>}
      <InstallTabs legend={label} name={name} variants={variants} />
      {links.map(({ text, href }) => (
        <p key={text}>
          <a href={href}>{text}</a> <span className="quiet">Opens {label} on this device</span>
        </p>
      ))}
      {blocks.map((block) => (
        <CopyBlock key={block.caption} {...block} />
      ))}
    </>
  );
}
