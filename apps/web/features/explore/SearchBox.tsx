import controls from "../../components/controls/controls.module.css";
import styles from "./SearchBox.module.css";

/** One field over everything; it leads to the list. */
export function SearchBox() {
  return (
    <search>
      <form action="/apps" method="get" className={styles.form}>
        <label htmlFor="q" className="visuallyHidden">
          Search services
        </label>
        <input
          id="q"
          name="q"
          type="search"
          className={`${controls.input} ${styles.input}`}
          maxLength={200}
          placeholder="Name, publisher, purpose or DID"
          autoComplete="off"
        />
        <button type="submit" className={`${controls.button} ${styles.button}`}>
          Search
        </button>
      </form>
    </search>
  );
}
