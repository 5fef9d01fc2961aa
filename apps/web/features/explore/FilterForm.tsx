import { type AppStatus, appStatusLabels, appStatusNames, type SearchPage } from "@app-registry/sdk";
import { Button, Checkbox, NativeSelect, TextInput } from "../../components/controls/controls.tsx";
import { FacetLinks, facetGroups } from "./facets.tsx";
import { isFiltered, type ListQuery } from "./listQuery.ts";
import { SearchForm } from "./SearchForm.tsx";

type FilterFormProps = {
  query: ListQuery;
  /** Counts of the results. Undefined without the index. */
  counted: Pick<SearchPage, "facets" | "total"> | undefined;
};

/** Renders the search field, the kinds of services with their counts, and the other filters in a fold. */
export function FilterForm({ query, counted }: FilterFormProps) {
  const { kinds, traits } = facetGroups(query, counted);
  const others = {
    ...query,
    // The fields of the fold don't show these.
    ...{ q: "", interfaces: 0, owner: "", minter: "" },
    status: query.owner + query.minter === "" ? query.status : ("active" as const),
    traits: query.traits.filter((trait) => !trait.startsWith("api:")),
  };
  const hidden = {
    interface: query.interfaces || "",
    sort: query.sort,
    owner: query.owner,
    minter: query.minter,
    did: query.did,
  };
  return (
    <SearchForm q={query.q}>
      <div>
        <nav className="row" aria-label="Kinds">
          <FacetLinks groups={kinds} />
        </nav>
        <details className="fold" open={isFiltered(others)}>
          <summary>More filters</summary>
          <nav aria-label="Traits">
            <FacetLinks groups={traits} />
          </nav>
          <div className="tiles" style={{ paddingBlock: 16 }}>
            <TextInput
              name="traits"
              label="Traits"
              defaultValue={query.traits.join(", ")}
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
            <fieldset>
              <legend className="label">Last live check</legend>
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
          </div>
          <Button type="submit">Apply filters</Button>
        </details>
      </div>
      {Object.entries(hidden).map(([name, value]) =>
        value === "" ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </SearchForm>
  );
}
