import { Hono } from "hono";

/** Ponder's own routes are enough: `/ready` and `/status`. */
export default new Hono();
