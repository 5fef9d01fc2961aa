"use client";

import { toAppRegistryError } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "../../components/record/Problem.tsx";

type AskedProps<Answer> = {
  query: Pick<UseQueryResult<Answer>, "data" | "error" | "refetch">;
  /** Text while the query is loading. */
  asking: string;
  /** Title of a failure. */
  failed: string;
  /** Text after the reason of a failure. */
  otherwise?: string;
  level?: 2 | 3;
  children: (answer: Answer) => ReactNode;
};

/** Renders the result of a query, its loading text, or its failure with a button that retries. */
export function QueryBoundary<Answer>({
  query,
  asking,
  failed,
  otherwise,
  level = 2,
  children,
}: AskedProps<Answer>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) {
    return (
      <p className="soft" role="status">
        {asking}
      </p>
    );
  }
  const { shortMessage, message } = toAppRegistryError(error);
  return (
    <Problem
      level={level}
      tone="unknown"
      title={failed}
      why={[shortMessage, otherwise].filter(Boolean).join(" ")}
      action={<Button onClick={() => void refetch()}>Try again</Button>}
      detail={message}
    />
  );
}
