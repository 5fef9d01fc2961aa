import { ListEmpty } from "./ListEmpty.tsx";
import { ListFailure } from "./ListProblem.tsx";
import { latestServices } from "./latestServices.ts";
import { readListQuery } from "./listQuery.ts";
import { ServiceList } from "./ServiceList.tsx";

/** The newest active records. */
export async function LatestServices() {
  const query = readListQuery({});
  const found = await latestServices();
  if (!found.ok) return <ListFailure failure={found.failure} query={query} />;
  if (found.page.results.length === 0) return <ListEmpty query={query} />;
  return <ServiceList rows={found.rows} caption={null} />;
}
