import { apiTypes, type SearchFacets, type SearchPage, visibleText } from "@app-registry/sdk";
import Link from "next/link";
import { interfaceChoices } from "../../components/record/labels.tsx";
import styles from "./explore.module.css";
import { type ListQuery, listHref } from "./listQuery.ts";

/** Renders links with counts that add a filter to the list or remove one. A plus sign marks a minimum. */
export const FacetLinks = ({ groups }: { groups: FacetGroup[] }) =>
  groups.map(({ name, choices, isMinimum }) => (
    <div key={name} className={styles.group}>
      <h2 className="quiet">{name}</h2>
      <ul className="bar">
        {choices.map(({ label: choice, count, chosen, href }) => (
          <li key={choice}>
            <Link
              className="plain small"
              href={href}
              prefetch={false}
              scroll={false}
              aria-current={chosen ? "true" : undefined}
            >
              <span className="visuallyHidden">{chosen ? "Remove " : ""}</span>
              <bdi>{visibleText(choice)}</bdi>{" "}
              {count === undefined ? null : (
                <span className="quiet">
                  {count.toLocaleString("en")}
                  {isMinimum ? "+" : ""}
                  <span className="visuallyHidden"> {count === 1 ? "service" : "services"}</span>
                </span>
              )}
              {chosen ? <span aria-hidden="true"> ×</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));

/** A filter to add or remove. */
type FacetChoice = {
  label: string;
  /** Number of matching services. Undefined for a chosen filter without a count. */
  count: number | undefined;
  chosen: boolean;
  /** Path of the list with the filter added or removed. */
  href: string;
};

/** Filters of one kind. `isMinimum` is true if more records match than were counted. */
type FacetGroup = { name: string; choices: FacetChoice[]; isMinimum: boolean };

/** Filters of a list by kind of service, and by trait. */
type FacetGroups = { kinds: FacetGroup[]; traits: FacetGroup[] };

/** Maximum number of traits to offer. Readers can type others. */
const OFFERED_TRAITS = 12;

const has = (query: ListQuery, trait: string) => query.traits.includes(trait);

/**
 * Returns the filters of a list with their counts: chosen ones first, then the most frequent. Without `facets`, the
 * index didn't answer, and all interfaces and API types are offered without counts.
 */
export function facetGroups(
  query: ListQuery,
  { facets, total }: Pick<SearchPage, "facets" | "total"> = {},
): FacetGroups {
  const group = (name: string, choices: FacetChoice[]): FacetGroup[] =>
    choices.length === 0 ? [] : [{ name, choices, isMinimum: total?.exact === false }];
  return {
    kinds: [
      ...group("Interface", interfaceFacets(query, facets)),
      ...group("API type", apiTypeChoices(query, facets)),
    ],
    traits: group("Trait", traitChoices(query, facets)),
  };
}

function interfaceFacets(query: ListQuery, facets: SearchFacets | undefined): FacetChoice[] {
  return interfaceChoices.flatMap(({ bit, label }) => {
    const count = facets?.interfaces.find((item) => item.interface === bit)?.count;
    const chosen = (query.interfaces & bit) !== 0;
    const href = listHref({ ...query, cursor: "", interfaces: query.interfaces ^ bit });
    return facets === undefined || count || chosen ? [{ label, count, chosen, href }] : [];
  });
}

function apiTypeChoices(query: ListQuery, facets: SearchFacets | undefined): FacetChoice[] {
  const labels = new Map<string, string>(apiTypes.map(({ trait, label }) => [trait, label]));
  const known = counted(facets?.apiTypes);
  const chosen = query.traits.filter((trait) => trait.startsWith("api:"));
  return [...new Set([...chosen, ...(facets === undefined ? labels : known).keys()])].map((trait) =>
    traitChoice(query, trait, known.get(trait), labels.get(trait) ?? trait),
  );
}

function traitChoices(query: ListQuery, facets: SearchFacets | undefined): FacetChoice[] {
  const known = counted(facets?.traits);
  const chosen = query.traits.filter((trait) => !trait.startsWith("api:"));
  const others = [...known.keys()].filter((trait) => !has(query, trait));
  return [...chosen, ...others]
    .slice(0, Math.max(OFFERED_TRAITS, chosen.length))
    .map((trait) => traitChoice(query, trait, known.get(trait), trait));
}

/** Maps traits to counts. Omits traits of which only the hash is known: they cannot be searched for. */
const counted = (counts: SearchFacets["traits"] = []) =>
  new Map(
    counts.flatMap(({ trait, count }): [string, number][] => (trait === undefined ? [] : [[trait, count]])),
  );

function traitChoice(query: ListQuery, trait: string, count: number | undefined, label: string): FacetChoice {
  const chosen = has(query, trait);
  const traits = chosen ? query.traits.filter((other) => other !== trait) : [...query.traits, trait];
  return { label, count, chosen, href: listHref({ ...query, cursor: "", traits }) };
}
