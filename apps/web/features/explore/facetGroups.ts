import { apiTypes, type SearchFacets } from "@app-registry/sdk";
import { interfaceChoices } from "../../components/record/labels.tsx";
import { type ListQuery, listHref } from "./listQuery.ts";

/** One way to narrow or widen the list. */
type FacetChoice = {
  label: string;
  /** Services of the list that have it; undefined when it is chosen and stands in none of the counts. */
  count: number | undefined;
  chosen: boolean;
  /** The list with the choice made, or taken back. */
  href: string;
};

export type FacetGroup = { name: string; choices: FacetChoice[] };

/** Traits that are offered; the rest are found by typing them. */
const OFFERED_TRAITS = 12;

const has = (query: ListQuery, trait: string) => query.traits.includes(trait);

/** What the list can be narrowed by, with counts: what is chosen first, then the most frequent. */
export function facetGroups(query: ListQuery, facets: SearchFacets): FacetGroup[] {
  const groups = [
    { name: "Interface", choices: interfaceFacets(query, facets) },
    { name: "API type", choices: apiTypeChoices(query, facets) },
    { name: "Trait", choices: traitChoices(query, facets) },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

function interfaceFacets(query: ListQuery, { interfaces }: SearchFacets): FacetChoice[] {
  return interfaceChoices.flatMap(({ bit, label }) => {
    const count = interfaces.find((item) => item.interface === bit)?.count;
    const chosen = (query.interfaces & bit) !== 0;
    const href = listHref({ ...query, cursor: "", interfaces: query.interfaces ^ bit });
    return count || chosen ? [{ label, count, chosen, href }] : [];
  });
}

function apiTypeChoices(query: ListQuery, facets: SearchFacets): FacetChoice[] {
  const labels = new Map<string, string>(apiTypes.map(({ trait, label }) => [trait, label]));
  const known = counted(facets.apiTypes);
  const absent = query.traits.filter((trait) => trait.startsWith("api:") && !known.has(trait));
  return [...absent, ...known.keys()].map((trait) =>
    traitChoice(query, trait, known.get(trait), labels.get(trait) ?? trait),
  );
}

function traitChoices(query: ListQuery, facets: SearchFacets): FacetChoice[] {
  const known = counted(facets.traits);
  const chosen = query.traits.filter((trait) => !trait.startsWith("api:"));
  const others = [...known.keys()].filter((trait) => !has(query, trait));
  return [...chosen, ...others]
    .slice(0, Math.max(OFFERED_TRAITS, chosen.length))
    .map((trait) => traitChoice(query, trait, known.get(trait), trait));
}

/** Counts by the trait's word; a trait whose word nobody told can't be asked for. */
const counted = (counts: SearchFacets["traits"]) =>
  new Map(
    counts.flatMap(({ trait, count }): [string, number][] => (trait === undefined ? [] : [[trait, count]])),
  );

function traitChoice(query: ListQuery, trait: string, count: number | undefined, label: string): FacetChoice {
  const chosen = has(query, trait);
  const traits = chosen ? query.traits.filter((other) => other !== trait) : [...query.traits, trait];
  return { label, count, chosen, href: listHref({ ...query, cursor: "", traits }) };
}
