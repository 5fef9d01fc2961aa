import { type AppStatus, apiTypes, appStatusLabels, appStatusNames } from "@app-registry/sdk";
import { Checkbox, NativeSelect, TextInput } from "../../components/controls/controls.tsx";
import { interfaceChoices } from "../../components/record/labels.tsx";
import styles from "./explore.module.css";
import { isFiltered, type ListQuery } from "./listQuery.ts";
import { SearchForm } from "./SearchForm.tsx";

export function FilterForm({ query }: { query: ListQuery }) {
  const apiTrait = query.traits.find((trait) => apiTypes.some((type) => type.trait === trait)) ?? "";
  const otherTraits = query.traits.filter((trait) => trait !== apiTrait);
  const filtered = isFiltered({ ...query, q: "" });
  return (
    <SearchForm q={query.q}>
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
          <TextInput
            name="under"
            label="Under a DID"
            defaultValue={query.under}
            placeholder="did:web:example.com"
            autoComplete="off"
            spellCheck={false}
          />
          <fieldset className={styles.choices}>
            <legend>Last live check</legend>
            <div className="bar">
              <Checkbox
                name="live"
                value="answers"
                label="Responds"
                defaultChecked={query.live === "answers"}
              />
              <Checkbox
                name="drift"
                value="same"
                label="Matches registered version"
                defaultChecked={query.drift === "same"}
              />
            </div>
          </fieldset>
          <NativeSelect
            name="status"
            label="Status"
            defaultValue={query.status}
            data={[
              ...appStatusNames.map((value, status) => ({
                value,
                label: appStatusLabels[status as AppStatus],
              })),
              { value: "any", label: "Any" },
            ]}
          />
          <NativeSelect
            name="sort"
            label="Sort by"
            defaultValue={query.sort}
            data={[
              { value: "", label: query.q === "" ? "Newest" : "Best match" },
              ...(query.q === "" ? [] : [{ value: "newest", label: "Newest" }]),
              { value: "updated", label: "Recently updated" },
              { value: "changed", label: "Recently changed" },
              { value: "name", label: "Name" },
            ]}
          />
        </div>
      </details>
      {query.owner === "" ? null : <input type="hidden" name="owner" value={query.owner} />}
      {query.did === "" ? null : <input type="hidden" name="did" value={query.did} />}
    </SearchForm>
  );
}
