"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import controls from "../../components/controls/controls.module.css";
import styles from "./explore.module.css";
import { isFiltered, type ListQuery, listHref, readListQuery } from "./listQuery.ts";

type FilterFormProps = {
  query: ListQuery;
  /** API types by their trait. */
  apiTypes: readonly { trait: string; label: string }[];
  /** Bits of the interface bitmap. */
  interfaces: readonly { bit: number; label: string }[];
};

/** The query of the form as it stands, in the shape of a page's address. */
function formQuery(form: HTMLFormElement): ListQuery {
  const data = new FormData(form);
  const params: Record<string, string[]> = {};
  for (const [name, value] of data)
    if (typeof value === "string") params[name] = [...(params[name] ?? []), value];
  return readListQuery(params);
}

/** Search and filters. It is a plain GET form, so it works before and without scripts. */
export function FilterForm({ query, apiTypes, interfaces }: FilterFormProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const apiTrait = query.traits.find((trait) => apiTypes.some((type) => type.trait === trait)) ?? "";
  const otherTraits = query.traits.filter((trait) => trait !== apiTrait);

  const filtered = isFiltered({ ...query, q: "" });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const href = listHref(formQuery(event.currentTarget));
    startTransition(() => router.push(href));
  }

  return (
    <search>
      <form action="/apps" method="get" className={styles.filterFormForm} onSubmit={submit}>
        <div className={styles.search}>
          <label className={controls.label} htmlFor="q">
            Search services
          </label>
          <div className={styles.searchRow}>
            <input
              id="q"
              name="q"
              type="search"
              className={controls.input}
              defaultValue={query.q}
              maxLength={200}
              placeholder="Name, publisher, purpose or DID"
              autoComplete="off"
            />
            <button type="submit" className={controls.button} disabled={pending}>
              {pending ? "Searching" : "Search"}
            </button>
          </div>
        </div>
        <details className={styles.filters} open={filtered}>
          <summary className={styles.summary}>Filters</summary>
          <div className={styles.groups}>
            <fieldset className={styles.filterFormGroup}>
              <legend className={controls.label}>Interfaces</legend>
              {interfaces.map(({ bit, label }) => (
                <label key={bit} className={controls.check}>
                  <input
                    type="checkbox"
                    name="interface"
                    value={bit}
                    defaultChecked={(query.interfaces & bit) !== 0}
                  />
                  {label}
                </label>
              ))}
            </fieldset>
            <div className={styles.filterFormGroup}>
              <label className={controls.label} htmlFor="api-type">
                API type
              </label>
              <select id="api-type" name="traits" className={controls.select} defaultValue={apiTrait}>
                <option value="">Any</option>
                {apiTypes.map(({ trait, label }) => (
                  <option key={trait} value={trait}>
                    {label}
                  </option>
                ))}
              </select>
            </div>
            <div className={styles.filterFormGroup}>
              <label className={controls.label} htmlFor="traits">
                Traits
              </label>
              <input
                id="traits"
                name="traits"
                className={controls.input}
                defaultValue={otherTraits.join(", ")}
                placeholder="maps, pay:x402"
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <div className={styles.filterFormGroup}>
              <label className={controls.label} htmlFor="status">
                Status
              </label>
              <select id="status" name="status" className={controls.select} defaultValue={query.status}>
                <option value="active">Active</option>
                <option value="deprecated">Deprecated</option>
                <option value="replaced">Replaced</option>
                <option value="any">Any</option>
              </select>
            </div>
            <div className={styles.filterFormGroup}>
              <label className={controls.label} htmlFor="sort">
                Order
              </label>
              <select id="sort" name="sort" className={controls.select} defaultValue={query.sort}>
                <option value="">{query.q === "" ? "Newest record" : "Best match"}</option>
                {query.q === "" ? null : <option value="newest">Newest record</option>}
                <option value="updated">Latest version</option>
                <option value="name">Name</option>
              </select>
            </div>
          </div>
        </details>
        {query.owner === "" ? null : <input type="hidden" name="owner" value={query.owner} />}
        {query.did === "" ? null : <input type="hidden" name="did" value={query.did} />}
      </form>
    </search>
  );
}
