"use client";

import { Button } from "@mantine/core";
import type { StartOperation } from "./change.ts";
import type { ActionAvailability } from "./possibleActions.ts";

interface ActionListProps<Id extends string> {
  possibilities: readonly ActionAvailability<Id>[];
  words: Record<Id, string>;
  begin: StartOperation;
  onAct: (id: Id) => void;
}

/** Renders possible actions as buttons and the other actions with the reason they are not possible. */
export function ActionList<Id extends string>({ possibilities, words, begin, onAct }: ActionListProps<Id>) {
  const possible = possibilities.filter(({ reason }) => reason === undefined);
  const others = possibilities.filter(({ reason }) => reason !== undefined);
  return (
    <div className="stack">
      {possible.length === 0 ? null : (
        <div className="bar">
          {possible.map(({ id }) => (
            <Button
              key={id}
              variant="default"
              size="compact-sm"
              disabled={begin === undefined}
              onClick={() => onAct(id)}
            >
              {words[id]}
            </Button>
          ))}
        </div>
      )}
      {others.length === 0 ? null : (
        <dl className="terms small" style={{ marginBottom: 0 }}>
          {others.map(({ id, reason }) => (
            <div key={id}>
              <dt>{words[id]}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
