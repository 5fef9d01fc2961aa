import type { Discovery } from "@app-registry/outbound/fill";
import { getRelation, isJsonObject, type SearchPage, type SearchResult } from "@app-registry/sdk";
import { requestJson } from "@app-registry/sdk/internal";
import { Radio } from "@mantine/core";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { z } from "zod/mini";
import { kindText, shortHex } from "../../../components/record/labels.tsx";
import { claimedName } from "../../../lib/record/claims.ts";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { getChosenFinding } from "../draft/draft.ts";
import { toList } from "../draft/pointer.ts";
import { useWizard } from "../WizardContext.tsx";

/** Returns the query of the search index for the record of a DID's highest major; `null` without one. */
const recordQuery = (did: string) =>
  queryOptions({
    queryKey: ["record", did],
    queryFn: async (): Promise<SearchResult | null> => {
      const path = `/api/search?${new URLSearchParams({ did, status: "any" })}`;
      const { results } = await requestJson({ baseUrl: location.origin }, path, z.custom<SearchPage>());
      return results.toSorted((one, other) => other.major - one.major)[0] ?? null;
    },
    retry: false,
  });

/** Names the record of a DID by its claimed name, its kind and the account that registered it. */
export function RecordName({ did }: { did: string }) {
  const { data: record } = useQuery(recordQuery(did));
  const { address } = useWallet();
  if (!record) return "its record";
  const name = claimedName(record.name ?? "");
  return (
    <>
      {name === "" ? null : (
        <q>
          <bdi>{name}</bdi>
        </q>
      )}
      {name === "" ? "" : ", "}
      {kindText(record)}, registered by{" "}
      {record.minter === address ? (
        "your wallet"
      ) : (
        <code title={record.minter}>{shortHex(record.minter)}</code>
      )}
    </>
  );
}

/** Offers the DIDs that the service could have, the safest first. */
export function DidChoices({ dids }: Pick<Discovery, "dids">) {
  const { did: present, draft, dispatch, readOnly, follows } = useWizard();
  const records = useQueries({ queries: dids.map(({ did }) => recordQuery(did)) });
  const isSettled = records.every(({ isPending }) => !isPending);
  if (follows || dids.length === 0) return null;
  const urls = toList(getChosenFinding(draft)?.metadata.endpoints).flatMap((entry) =>
    isJsonObject(entry) && typeof entry.endpoint === "string" ? [entry.endpoint] : [],
  );
  const choices = orderDids(
    dids.map((choice, index) => ({ ...choice, record: records[index]?.data })),
    urls,
  );
  return (
    <Radio.Group
      label={`${dids.length === 1 ? "This is" : "Choose"} the service's DID, its permanent identifier. Only its controller can register it.`}
      value={present ?? ""}
      onChange={(value) => dispatch({ type: "field", field: "did", value })}
      error={
        present !== undefined && !matchesAddress(present, dids, urls)
          ? `${present} doesn't match this address, so the Origin fact may fail. Choose a DID from this list, or enter another address.`
          : undefined
      }
    >
      <div className="stack">
        {choices.map(({ did, why, record }, index) => (
          <Radio
            key={did}
            value={did}
            disabled={readOnly}
            label={
              <span className="anywhere">
                {did}
                {isSettled && index === 0 && choices.length > 1 && !record ? (
                  <strong> · recommended</strong>
                ) : null}
              </span>
            }
            description={
              record ? (
                <>
                  {why} <strong>Already registered.</strong> You would publish a new version of{" "}
                  <RecordName did={did} />.
                </>
              ) : (
                `${why} ${record === null ? "Not registered yet." : ""}`
              )
            }
          />
        ))}
      </div>
    </Radio.Group>
  );
}

type DidChoice = {
  did: string;
  /** Record of the DID; `null` without one, `undefined` while unknown. */
  record: SearchResult | null | undefined;
};

/**
 * Orders the DIDs that a service could have: that of its own record first. If another service has the host's DID, the
 * path's DID comes before the others.
 *
 * @param urls URLs of the service's endpoints
 */
export function orderDids<Choice extends DidChoice>(
  choices: readonly Choice[],
  urls: readonly unknown[],
): Choice[] {
  const isOwn = ({ record }: DidChoice) => record?.endpoints?.some(({ endpoint }) => urls.includes(endpoint));
  const isTaken = (choice: DidChoice) => choice.record != null && !isOwn(choice);
  const isPath = ({ did }: DidChoice) => did.split(":").length > 3;
  const isSecond = choices.some((choice) => isTaken(choice) && !isPath(choice));
  const rank = (choice: DidChoice) =>
    isOwn(choice) ? 0 : isTaken(choice) ? 3 : isSecond && !isPath(choice) ? 2 : 1;
  return choices.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns true if a DID is one of those of an address, or names the host or the path of all its endpoints. */
export const matchesAddress = (
  did: string,
  choices: readonly Pick<DidChoice, "did">[],
  urls: readonly string[],
): boolean =>
  choices.some((choice) => choice.did === did) ||
  (urls.length > 0 && urls.every((url) => getRelation(did, url).startsWith("same")));
