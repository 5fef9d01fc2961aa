/** Creates a lock that runs one task at a time per key, in the order of the calls. */
export function createKeyedLock(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const previous = last.get(key) ?? Promise.resolve();
    const current = previous.then(task, task);
    const settled = current.then(
      () => undefined,
      () => undefined,
    );
    last.set(key, settled);
    void settled.then(() => {
      if (last.get(key) === settled) last.delete(key);
    });
    return current;
  };
}
