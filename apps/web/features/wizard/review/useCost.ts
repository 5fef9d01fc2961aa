import {
  type CallCost,
  estimateCall,
  MAX_STORED_METADATA_SIZE,
  parseVersion,
  planPublication,
  preparePublication,
} from "@app-registry/sdk";
import { estimateStorageCost } from "@app-registry/sdk/internal";
import { useQuery } from "@tanstack/react-query";
import { estimateFeesPerGas, getBalance } from "viem/actions";
import { useRegistryClient, useWallet } from "../../wallet/useRegistryClient.ts";
import { useDraftControl } from "../control/ControlContext.tsx";
import { type Publication, toPublicationRequest } from "../draft/publication.ts";
import { useWizard } from "../WizardContext.tsx";

/** Cost of publishing, in wei. */
export interface CostEstimate extends CallCost {
  /** Maximum cost, at the highest fee that the wallet would offer. */
  most: bigint;
}

/** Time between balance reads in milliseconds, short so that faucet funds appear soon. */
const BALANCE_AGE = 10_000;

/** Returns the connected wallet's balance in wei, or `undefined` without a wallet or while the chain is unavailable. */
export function useBalance(): bigint | undefined {
  const { publicClient, deployment } = useRegistryClient();
  const { address } = useWallet();
  return (
    useQuery({
      queryKey: ["balance", deployment.chainId, address],
      queryFn: () => (address ? getBalance(publicClient, { address }) : null),
      enabled: address !== undefined,
      refetchInterval: BALANCE_AGE,
    }).data ?? undefined
  );
}

/**
 * Estimates the cost of publishing the draft. The chain can estimate it only for a draft without problems and a wallet
 * that controls the DID.
 */
export function usePublicationCost() {
  const { draft, publicUrl, registered, problems } = useWizard();
  const { state } = useDraftControl();
  const client = useRegistryClient();
  const { address } = useWallet();
  const isReady = problems.length === 0 && registered !== undefined && state.kind === "holds";
  const request = isReady ? toPublicationRequest(draft, { publicUrl, registered }) : undefined;
  return useQuery({
    queryKey: ["cost", client.deployment.chainId, address, request],
    queryFn: async (): Promise<CostEstimate | null> => {
      if (request === undefined || address === undefined) return null;
      const version = parseVersion(request.version);
      const plan = await planPublication({ ...request, client, version });
      const [cost, fees] = await Promise.all([
        estimateCall(client, preparePublication(client, plan), address),
        estimateFeesPerGas(client.publicClient),
      ]);
      return { ...cost, most: cost.gas * (fees.maxFeePerGas ?? cost.gasPrice) };
    },
    enabled: request !== undefined && address !== undefined,
    retry: false,
  });
}

/** Size of a document from which its storage on the chain is expensive, in bytes of canonical text. */
export const LARGE_DOCUMENT = 4_096;

/** Estimates the cost of publishing a large document: with its hash alone, and with the document on the chain. */
export function useStorageCost({ canonical = "", size }: Publication, isUpdate: boolean) {
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["storage cost", client.deployment.chainId, canonical, isUpdate],
    queryFn: () => estimateStorageCost(client, { json: canonical, isUpdate }),
    enabled: size >= LARGE_DOCUMENT && size <= MAX_STORED_METADATA_SIZE,
    retry: false,
  }).data;
}
