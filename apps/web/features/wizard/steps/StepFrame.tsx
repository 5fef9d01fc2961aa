import type { ReactNode } from "react";
import styles from "../fields/fields.module.css";

/** One screen of the wizard: its title, what it is for, and its fields. */
export function StepFrame({
  title,
  intro,
  children,
}: {
  title: string;
  intro: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.step} aria-labelledby="step-title">
      <header className={styles.head}>
        <h2 id="step-title" tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <p className={styles.intro}>{intro}</p>
      </header>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

/** Fields that belong together, under a heading. */
export function Group({
  title,
  help,
  children,
  action,
}: {
  title: string;
  help?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className={styles.group} aria-label={title}>
      <header className={styles.groupHead}>
        <h3>{title}</h3>
        {action}
        {help === undefined ? null : <p className={styles.groupHelp}>{help}</p>}
      </header>
      {children}
    </section>
  );
}
