/**
 * Makes something once for the whole process and gives it from then on, whichever bundle asks: Next bundles the start of
 * the server apart from its routes, so each has modules of its own.
 */
export function createProcessSingleton<T>(name: string, make: () => T): () => T {
  const key = Symbol.for(`app-registry.${name}`);
  const shared = globalThis as { [key: symbol]: T | undefined };
  return () => {
    shared[key] ??= make();
    return shared[key];
  };
}
