/** What the other packages of App Registry share with this one. It is no public interface, and changes at any time. */
export { createPoliteFetch, type HostTurns, sqlHostTurns } from "./politeFetch.ts";
export { printable } from "./printable.ts";
