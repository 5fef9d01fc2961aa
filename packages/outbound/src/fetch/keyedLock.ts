/** Creates a lock that runs one task at a time per key, in the order of the calls. */
export function createKeyedLock(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const current = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, current);
    const forget = () => {
      if (last.get(key) === current) last.delete(key);
    };
    current.then(forget, forget);
    return current;
  };
}
