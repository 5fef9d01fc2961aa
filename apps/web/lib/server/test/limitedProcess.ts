import { Pool } from "pg";
import { createRateLimiter } from "../http/rateLimits.ts";

/** Counts requests of one client in a separate process. Sends how many of them the limit allows. */
const [connectionString, quota, requests] = process.argv.slice(2);
const pool = new Pool({ connectionString });
const limiter = createRateLimiter({ name: "processes", quota: Number(quota), window: 600 }, pool);
const quotas = await Promise.all(Array.from({ length: Number(requests) }, () => limiter.consume("a client")));
quotas.push(await limiter.consume("a client"));
process.send?.(quotas.filter(({ refused }) => !refused).length);
await pool.end();
