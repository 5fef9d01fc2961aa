import { createServer } from "node:http";
import { traitHash } from "@app-registry/sdk";
import pg from "pg";
import { z } from "zod";

/**
 * Bare server to compare `/api/search` with: `node:http` and one SQL query per search. It has no facts, no correction
 * of words, no ranking by field and no cursor. PORT and DATABASE_URL set its port and the database of the index.
 */
const { PORT, DATABASE_URL } = z.object({ PORT: z.string(), DATABASE_URL: z.string() }).parse(process.env);
const pool = new pg.Pool({ connectionString: DATABASE_URL, options: "-c search_path=app_registry" });

const columns = `did, major, minor, patch, status, interfaces, owner, minter, data_url, data_hash, data_hash_algorithm,
  trait_hashes, name, description, publisher, image, endpoints, details, traits, published_at, changed_at, changed_block`;

createServer(async ({ url = "" }, response) => {
  const { traits, q, interface: bits } = Object.fromEntries(new URL(url, "http://localhost").searchParams);
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["status = 0"];
  if (traits) conditions.push(`trait_hashes @> ${bind(traits.split(",").map(traitHash))}::text[]`);
  if (bits) conditions.push(`interfaces & ${bind(bits)}::int = ${bind(bits)}::int`);
  // The last word may be incomplete.
  const query = q && `to_tsquery('simple', ${bind(`${q.split(" ").join(" & ")}:*`)})`;
  if (query) conditions.push(`search_vector @@ ${query}`);
  const order = query ? `ts_rank_cd(search_vector, ${query}) desc` : "token_id desc";
  const { rows } = await pool.query(
    `select token_id, ${columns} from app where ${conditions.join(" and ")} order by ${order} limit 20`,
    values,
  );
  response.setHeader("content-type", "application/json").end(JSON.stringify({ results: rows }));
}).listen(Number(PORT));
