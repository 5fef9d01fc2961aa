import { searchQuerySchema } from "@app-registry/sdk";
import { ListEmpty } from "./ListEmpty.tsx";
import { ListFailure } from "./ListProblem.tsx";
import { readListQuery } from "./listQuery.ts";
import { ServiceList } from "./ServiceList.tsx";
import { searchServices } from "./searchServices.ts";

const LATEST = 6;

/** The newest active records. */
export async function LatestServices() {
  const query = readListQuery({});
  const found = await searchServices(searchQuerySchema.parse({ limit: LATEST }));
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  if (found.page.results.length === 0) return <ListEmpty query={query} />;
  return <ServiceList rows={found.rows} caption={null} />;
}
