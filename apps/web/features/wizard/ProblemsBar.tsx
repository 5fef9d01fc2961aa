import { Button, NavLink, Popover } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useConnectModal } from "@rainbow-me/rainbowkit";
import { lazy, Suspense, useState } from "react";
import type { Address } from "viem";
import { useWallet } from "../wallet/useRegistryClient.ts";
import { QuietButton } from "../wallet/WalletBar.tsx";
import { fieldLabel, screens } from "./draft/screens.ts";
import { getAdjacentSteps } from "./navigation/navigation.ts";
import { useUnproven, useWizard } from "./WizardContext.tsx";
import styles from "./wizard.module.css";

const Funds = lazy(() => import("./review/Funds.tsx").then((module) => ({ default: module.Funds })));

interface ProblemsBarProps {
  onPublish: (account: Address) => void;
  /** Shows the publication in progress. */
  onResume: () => void;
}

/** Shows the Back and Continue buttons, and between them the number of open problems, which opens their list. */
export function ProblemsBar({ onPublish, onResume }: ProblemsBarProps) {
  const { draft, readOnly, goTo } = useWizard();
  const { previous, next } = getAdjacentSteps(draft);
  return (
    <section className={`bar apart ${styles.bar}`} aria-label="Progress">
      <Button variant="default" disabled={!previous} onClick={() => previous && goTo(previous)}>
        Back
      </Button>
      <OpenProblems />
      <ProblemCount />
      {next === undefined && !readOnly ? (
        <Suspense>
          <Funds />
        </Suspense>
      ) : null}
      {next ? (
        <Button onClick={() => goTo(next)}>Continue</Button>
      ) : readOnly ? (
        <Button onClick={onResume}>View publishing progress</Button>
      ) : (
        <PublishButton onPublish={onPublish} />
      )}
    </section>
  );
}

/** Time without changes before the number of problems is announced, in milliseconds. */
const SETTLED = 1_500;

/** Announces the number of open problems to screen readers once the user stops typing. */
function ProblemCount() {
  const { isBegun, problems } = useWizard();
  const [count] = useDebouncedValue(problems.length, SETTLED);
  return (
    <span className="visuallyHidden" role="status">
      {!isBegun ? "" : count === 0 ? "Nothing to fix." : `${count} to fix.`}
    </span>
  );
}

function OpenProblems() {
  const { isBegun, problems, showField } = useWizard();
  const [opened, setOpened] = useState(false);
  const unproven = useUnproven();
  if (!isBegun) return null;
  if (problems.length === 0) {
    return <span className="soft">Nothing to fix{unproven === undefined ? "" : `, ${unproven}`}</span>;
  }
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={400}
      position="top"
      trapFocus
      returnFocus
      transitionProps={{ duration: 120 }}
    >
      <Popover.Target>
        <QuietButton onClick={() => setOpened(!opened)} aria-expanded={opened}>
          {problems.length} {problems.length === 1 ? "problem" : "problems"} to fix
        </QuietButton>
      </Popover.Target>
      <Popover.Dropdown mah="min(60vh, 480px)" maw="calc(100vw - 32px)" p={0} style={{ overflow: "auto" }}>
        <ul aria-label="Problems to fix">
          {problems.map((problem) => (
            <li key={problem.field + problem.message}>
              <NavLink
                component="button"
                type="button"
                label={`${fieldLabel(problem.field)}: ${problem.message}`}
                description={screens[problem.step].title}
                onClick={() => {
                  setOpened(false);
                  showField(problem.field);
                }}
              />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Publishes the draft, or first asks the user to connect a wallet. */
function PublishButton({ onPublish }: { onPublish: (account: Address) => void }) {
  const { draft, problems, registered } = useWizard();
  const { address, isConnected, isOnRegistryChain } = useWallet();
  const { openConnectModal } = useConnectModal();
  if (!isConnected) return <Button onClick={openConnectModal}>Connect a wallet to publish</Button>;
  const isReady = problems.length === 0 && registered !== undefined && isOnRegistryChain;
  return (
    <Button disabled={!isReady} onClick={() => address && onPublish(address)}>
      {registered?.record ? `Publish version ${draft.version}` : "Publish record"}
    </Button>
  );
}
