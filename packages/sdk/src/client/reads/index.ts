export * from "./control.ts";
export * from "./listEvents.ts";
export * from "./records.ts";
export * from "./versions.ts";
