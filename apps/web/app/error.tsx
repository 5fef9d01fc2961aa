"use client";

import controls from "../components/controls/controls.module.css";
import { Problem } from "../components/record/Problem.tsx";

export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Problem
      level={1}
      title="This page could not be built"
      why="Something failed on our side. Nothing was changed on the chain."
      action={
        <button type="button" className={controls.quietButton} onClick={reset}>
          Try again
        </button>
      }
      detail={error.digest === undefined ? undefined : `Reference ${error.digest}`}
    />
  );
}
