import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";

type LimitedProblemProps = {
  /** When to come again, in a sentence. */
  wait: string;
  action: ReactNode;
};

/** In place of what a client over its limit asked for: why it is not there, and the way back. */
export function LimitedProblem({ wait, action }: LimitedProblemProps) {
  return (
    <Problem
      level={1}
      tone="neutral"
      title="You have asked for many pages in a short time"
      why={`Every page here is checked against the chain, so each network may ask for a limited number in ten minutes. Others who share your connection count too. Nothing is wrong with the service or its record. ${wait}`}
      action={action}
    />
  );
}
