"use client";

import { Button } from "../components/controls/controls.tsx";
import { Problem } from "../components/record/Problem.tsx";
import { parseRateLimitMessage, RateLimitProblem } from "../features/rate-limit/limited.tsx";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const tryAgain = (
    <Button variant="default" onClick={reset}>
      Try again
    </Button>
  );
  const wait = parseRateLimitMessage(error.message);
  if (wait !== undefined) return <RateLimitProblem wait={wait} action={tryAgain} />;
  return (
    <Problem
      level={1}
      title="Something went wrong"
      why="We couldn't load this page. No transaction was sent."
      action={tryAgain}
      detail={error.digest === undefined ? undefined : `Reference ${error.digest}`}
    />
  );
}
