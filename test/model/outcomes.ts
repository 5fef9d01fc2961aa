/** Counts of each kind of action by its outcome: performed, or refused with an error. */
export class Outcomes {
  private readonly kinds = new Map<string, Map<string, number>>();

  /** @param error - Name of the error, or an empty string if the action was performed. */
  add(kind: string, error: string): void {
    const errors = this.kinds.get(kind) ?? new Map<string, number>();
    this.kinds.set(kind, errors.set(error, (errors.get(error) ?? 0) + 1));
  }

  neverDone = () => [...this.kinds].filter(([, errors]) => !errors.get("")).map(([kind]) => kind);

  table(): string {
    const rows = [...this.kinds].sort().map(([kind, errors]) => {
      const refusals = [...errors].filter(([error]) => error !== "").sort((one, other) => other[1] - one[1]);
      const listed = refusals.map(([error, count]) => `${error} ${count}`).join(", ");
      return `${kind.padEnd(28)}${String(errors.get("") ?? 0).padStart(9)}  ${listed}`;
    });
    return [`${"action".padEnd(28)}${"done".padStart(9)}  refused with`, ...rows].join("\n");
  }
}
