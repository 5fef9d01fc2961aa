/** Ponder names the schema of its tables here before they are declared, so that every query names it too. */
Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: "public" } });
