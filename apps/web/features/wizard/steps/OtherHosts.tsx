"use client";

import { getProvenSubject, getRelation, type JsonObject, listAddresses } from "@app-registry/sdk";
import { hostDids, isCheckedUse, parseLocation } from "@app-registry/sdk/internal";
import { useQuery } from "@tanstack/react-query";
import { useWallet } from "../../wallet/useRegistryClient.ts";
import { OtherControlCheck } from "../control/ControlCheck.tsx";
import { canonicalDid } from "../draft/problems.ts";
import { useWizard } from "../WizardContext.tsx";
import { Group } from "./Group.tsx";

/** Loads the public suffix list, only where a URL must be compared with the DID's host. */
const useSiteLookup = () =>
  useQuery({
    queryKey: ["siteOf"],
    queryFn: async () => (await import("@app-registry/outbound/site")).getSite,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;

/** Lists an endpoint's URLs that would fail *origin*, and offers to check control of their hosts. */
export function OtherHosts({ entry, pointer }: { entry: JsonObject; pointer: string }) {
  const { draft, touched } = useWizard();
  const { address: account } = useWallet();
  const getSite = useSiteLookup();
  const did = canonicalDid(draft.did);
  const isLeft = touched.has(`${pointer}/endpoint`) || draft.visited.includes("api");
  if (did === undefined || getSite === undefined || !isLeft) return null;
  const outside = listAddresses(did, { endpoints: [entry] }).filter(
    ({ use, url }) =>
      isCheckedUse(use) && parseLocation(url) && getRelation(did, url, getSite) === "elsewhere",
  );
  const hosts = new Map(outside.map(({ url }) => [new URL(url).host, hostDids({ url }).at(-1)]));
  const { name } = getProvenSubject(did);
  return [...hosts].map(([host, hostDid]) => (
    <Group
      key={host}
      title={`${host} is a different host from ${name}`}
      help={
        hostDid === undefined
          ? `An address at ${host} makes the Origin fact fail. Use a host name that your wallet controls.`
          : `URLs at ${host} make the Origin fact fail, unless the account that controls ${name} also controls ${hostDid}. To prove that control, publish a DID document at ${host} that lists the same wallet, then check the document here. Or use URLs at ${name}.`
      }
    >
      {hostDid === undefined ? null : account ? (
        <OtherControlCheck did={hostDid} account={account} />
      ) : (
        <p className="soft small">Connect a wallet to check this host.</p>
      )}
    </Group>
  ));
}
