"use client";

import { type AppStatus, apiTypes, statusNames, statusWords } from "@app-registry/sdk";
import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { Beside, Button, Checkbox, NativeSelect, TextInput } from "../../components/controls/controls.tsx";
import { interfaceChoices } from "../../components/record/labels.tsx";
import styles from "./explore.module.css";
import { isFiltered, type ListQuery, listHref, readListQuery } from "./listQuery.ts";

/** The query of the form as it stands, in the shape of a page's address. */
function formQuery(form: HTMLFormElement): ListQuery {
  const data = new FormData(form);
  const params: Record<string, string[]> = {};
  for (const [name, value] of data)
    if (typeof value === "string") params[name] = [...(params[name] ?? []), value];
  return readListQuery(params);
}

/** Search and filters. It is a plain GET form, so it works before and without scripts. */
export function FilterForm({ query }: { query: ListQuery }) {
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
      <form action="/apps" method="get" className="stack2" onSubmit={submit}>
        <Beside>
          <TextInput
            name="q"
            type="search"
            label="Search services"
            defaultValue={query.q}
            maxLength={200}
            placeholder="Name, publisher, purpose or DID"
            autoComplete="off"
          />
          <Button type="submit" disabled={pending}>
            {pending ? "Searching" : "Search"}
          </Button>
        </Beside>
        <details className={`fold ${styles.filters}`} open={filtered}>
          <summary>Filters</summary>
          <div className={styles.groups}>
            <fieldset className={styles.choices}>
              <legend>Interfaces</legend>
              <div className="bar">
                {interfaceChoices.map(({ bit, label }) => (
                  <Checkbox
                    key={bit}
                    name="interface"
                    value={bit}
                    label={label}
                    defaultChecked={(query.interfaces & bit) !== 0}
                  />
                ))}
              </div>
            </fieldset>
            <NativeSelect
              name="traits"
              label="API type"
              defaultValue={apiTrait}
              data={[
                { value: "", label: "Any" },
                ...apiTypes.map(({ trait, label }) => ({ value: trait, label })),
              ]}
            />
            <TextInput
              name="traits"
              label="Traits"
              defaultValue={otherTraits.join(", ")}
              placeholder="maps, pay:x402"
              autoComplete="off"
              spellCheck={false}
            />
            <NativeSelect
              name="status"
              label="Status"
              defaultValue={query.status}
              data={[
                ...statusWords.map((value, status) => ({ value, label: statusNames[status as AppStatus] })),
                { value: "any", label: "Any" },
              ]}
            />
            <NativeSelect
              name="sort"
              label="Order"
              defaultValue={query.sort}
              data={[
                { value: "", label: query.q === "" ? "Newest record" : "Best match" },
                ...(query.q === "" ? [] : [{ value: "newest", label: "Newest record" }]),
                { value: "updated", label: "Latest version" },
                { value: "name", label: "Name" },
              ]}
            />
          </div>
        </details>
        {query.owner === "" ? null : <input type="hidden" name="owner" value={query.owner} />}
        {query.did === "" ? null : <input type="hidden" name="did" value={query.did} />}
      </form>
    </search>
  );
}
