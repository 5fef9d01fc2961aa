/** Bit flags for missing evidence. The column `unproven` omits `live`, which only the worker can determine. */
export const missingEvidence = { content: 1, control: 2, live: 4 } as const;
