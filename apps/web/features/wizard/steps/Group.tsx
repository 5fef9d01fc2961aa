import type { ReactNode } from "react";
import styles from "../fields/fields.module.css";

type GroupProps = {
  title: string;
  help?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  /** Name of the parent, if a screen has several groups with this title. */
  of?: string | undefined;
};

/** Renders related fields under one heading. */
export function Group({ title, help, children, action, of }: GroupProps) {
  return (
    <section className={`stack2 ${styles.group}`} aria-label={of === undefined ? title : `${title}, ${of}`}>
      <header className={styles.groupHead}>
        <h3>{title}</h3>
        {action}
        {help === undefined ? null : <p className={`small soft prose ${styles.groupHelp}`}>{help}</p>}
      </header>
      {children}
    </section>
  );
}
