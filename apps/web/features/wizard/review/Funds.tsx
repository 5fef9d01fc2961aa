"use client";

import { formatFee } from "@app-registry/sdk";
import { useRegistryClient, useRegistryConnection, useWallet } from "../../wallet/useRegistryClient.ts";
import styles from "../wizard.module.css";
import { faucetHref, fundsOf } from "./funds.ts";
import { useBalance, usePublicationCost } from "./useCost.ts";

/** What publishing costs and what the wallet holds, and what it lacks; nothing without a wallet. */
export function Funds() {
  const { address } = useWallet();
  const { faucetUrl } = useRegistryConnection();
  const { publicClient } = useRegistryClient();
  const balance = useBalance();
  const cost = usePublicationCost().data ?? undefined;
  if (address === undefined) return null;
  const funds = fundsOf(balance, cost?.most);
  const amount = (wei: bigint) => formatFee(wei, publicClient.chain?.nativeCurrency);
  return (
    <p className={`small ${styles.funds}`} role="status">
      <span>
        {cost === undefined
          ? "The cost is known once control is checked."
          : `Costs about ${amount(cost.gas * cost.gasPrice)}.`}
      </span>{" "}
      {funds.kind === "unknown" ? null : <span>Your wallet holds {amount(funds.balance)}.</span>}{" "}
      {funds.kind === "short" ? (
        <strong style={{ color: "var(--fail)" }}>
          ◆{" "}
          {funds.missing === undefined
            ? "That is not enough to publish."
            : `${amount(funds.missing)} more is needed.`}{" "}
          {faucetUrl === undefined ? null : (
            <a href={faucetHref(faucetUrl, address)} target="_blank" rel="noopener noreferrer">
              Get some from the faucet
            </a>
          )}
        </strong>
      ) : null}
    </p>
  );
}
