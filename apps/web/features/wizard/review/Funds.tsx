import {
  estimateCall,
  formatFee,
  MAX_STORED_METADATA_SIZE,
  parseVersion,
  planPublication,
  preparePublication,
} from "@app-registry/sdk";
import { estimateStorageCost } from "@app-registry/sdk/internal";
import { useQuery } from "@tanstack/react-query";
import { estimateFeesPerGas, getBalance } from "viem/actions";
import { useRegistryClient, useRegistryConnection, useWallet } from "../../wallet/useRegistryClient.ts";
import { toPublicationRequest } from "../draft/publication.ts";
import { useWizard } from "../WizardContext.tsx";

/** Time between balance reads in milliseconds, short so that faucet funds appear soon. */
const BALANCE_AGE = 10_000;

/** Returns the connected wallet's balance in wei, or `undefined` without a wallet or while the chain is unavailable. */
function useBalance(): bigint | undefined {
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
 * that controls the DID, which `isReady` says.
 */
function usePublicationCost(isReady: boolean) {
  const { draft, registered } = useWizard();
  const { publicUrl } = useRegistryConnection();
  const client = useRegistryClient();
  const { address } = useWallet();
  const request =
    isReady && registered !== undefined ? toPublicationRequest(draft, { publicUrl, registered }) : undefined;
  return useQuery({
    queryKey: ["cost", client.deployment.chainId, address, request],
    queryFn: async () => {
      if (request === undefined || address === undefined) return null;
      const version = parseVersion(request.version);
      const plan = await planPublication({ ...request, client, version });
      const [cost, fees] = await Promise.all([
        estimateCall(client, preparePublication(client, plan), address),
        estimateFeesPerGas(client.publicClient),
      ]);
      // The most is the cost at the highest fee that the wallet would offer.
      return { ...cost, most: cost.gas * (fees.maxFeePerGas ?? cost.gasPrice) };
    },
    enabled: request !== undefined && address !== undefined,
    retry: false,
  });
}

/** Size of a document from which its storage on the chain is expensive, in bytes of canonical text. */
export const LARGE_DOCUMENT = 4_096;

/** Estimates the cost of publishing a large document: with its hash alone, and with the document on the chain. */
export function useStorageCost() {
  const { publication, registered } = useWizard();
  const { canonical = "", size } = publication;
  const isUpdate = registered?.record !== undefined;
  const client = useRegistryClient();
  return useQuery({
    queryKey: ["storage cost", client.deployment.chainId, canonical, isUpdate],
    queryFn: () => estimateStorageCost(client, { json: canonical, isUpdate }),
    enabled: size >= LARGE_DOCUMENT && size <= MAX_STORED_METADATA_SIZE,
    retry: false,
  }).data;
}

/**
 * Returns the text about a balance that is lower than the maximum cost of publishing, or zero while the cost is unknown.
 * Returns `undefined` for any other balance. Amounts are in wei.
 */
export function lackOfFunds(
  balance: bigint | undefined,
  most: bigint | undefined,
  format: (wei: bigint) => string,
): string | undefined {
  if (balance === undefined) return undefined;
  if (most !== undefined && balance < most) return `You need ${format(most - balance)} more to publish.`;
  return balance === 0n ? "Not enough to publish." : undefined;
}

/** Returns the URL of the operator's faucet with `{address}` replaced by the wallet's address. */
export const faucetHref = (faucetUrl: string, address: string): string =>
  faucetUrl.replaceAll("{address}", address);

/** Shows the cost of publishing, the wallet's balance and the missing amount, or nothing without a wallet. */
export function Funds() {
  const { address } = useWallet();
  const { faucetUrl } = useRegistryConnection();
  const { publicClient } = useRegistryClient();
  const balance = useBalance();
  const { problems, control } = useWizard();
  const isChecked = control.state.kind === "holds" && problems.length === 0;
  const { data: cost, isError } = usePublicationCost(isChecked);
  if (address === undefined) return null;
  const amount = (wei: bigint) => formatFee(wei, publicClient.chain?.nativeCurrency);
  const lack = lackOfFunds(balance, cost?.most, amount);
  const missing = isError ? "Couldn't estimate the cost." : "Estimating the cost…";
  return (
    <p className="small" role="status">
      <span>
        {cost
          ? `Estimated cost: ${amount(cost.gas * cost.gasPrice)}.`
          : isChecked
            ? missing
            : "Exact cost after the control check."}
      </span>{" "}
      {balance === undefined ? null : <span>Wallet balance: {amount(balance)}.</span>}{" "}
      {lack === undefined ? null : (
        <strong style={{ color: "var(--fail)" }}>
          ◆ {lack}{" "}
          {faucetUrl === undefined ? null : (
            <a href={faucetHref(faucetUrl, address)} target="_blank" rel="noopener noreferrer">
              Get test funds
            </a>
          )}
        </strong>
      )}
    </p>
  );
}
