/**
 * Returns a function that creates a value once per process, even across bundles. Next.js bundles the startup separately
 * from the routes, so each has its own instance of every module.
 */
export function createProcessSingleton<T>(name: string, make: () => T): () => T {
  const key = Symbol.for(`app-registry.${name}`);
  const shared = globalThis as { [key: symbol]: T | undefined };
  return () => {
    shared[key] ??= make();
    return shared[key];
  };
}
