export * from "./control.ts";
export * from "./records.ts";
