"use client";

import { formatFee } from "@app-registry/sdk";
import { useRegistryClient, useRegistryConnection, useWallet } from "../../wallet/useRegistryClient.ts";
import { useDraftControl } from "../control/ControlContext.tsx";
import { useWizard } from "../WizardContext.tsx";
import styles from "../wizard.module.css";
import { compareFunds, faucetHref } from "./funds.ts";
import { useBalance, usePublicationCost } from "./useCost.ts";

/** Shows the cost of publishing, the wallet's balance and the missing amount, or nothing without a wallet. */
export function Funds() {
  const { address } = useWallet();
  const { faucetUrl } = useRegistryConnection();
  const { publicClient } = useRegistryClient();
  const balance = useBalance();
  const { problems } = useWizard();
  const { state } = useDraftControl();
  const { data, isError } = usePublicationCost();
  const cost = data ?? undefined;
  if (address === undefined) return null;
  const funds = compareFunds(balance, cost?.most);
  const amount = (wei: bigint) => formatFee(wei, publicClient.chain?.nativeCurrency);
  const isChecked = state.kind === "holds" && problems.length === 0;
  const missing = isError ? "Couldn't estimate the cost." : "Estimating the cost…";
  return (
    <p className={`small ${styles.funds}`} role="status">
      <span>
        {cost === undefined
          ? isChecked
            ? missing
            : "Exact cost after the control check."
          : `Estimated cost: ${amount(cost.gas * cost.gasPrice)}.`}
      </span>{" "}
      {funds.kind === "unknown" ? null : <span>Wallet balance: {amount(funds.balance)}.</span>}{" "}
      {funds.kind === "short" ? (
        <strong style={{ color: "var(--fail)" }}>
          ◆{" "}
          {funds.missing === undefined
            ? "Not enough to publish."
            : `You need ${amount(funds.missing)} more to publish.`}{" "}
          {faucetUrl === undefined ? null : (
            <a href={faucetHref(faucetUrl, address)} target="_blank" rel="noopener noreferrer">
              Get test funds
            </a>
          )}
        </strong>
      ) : null}
    </p>
  );
}
