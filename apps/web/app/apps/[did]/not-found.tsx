import { loadRequestedService } from "../../../features/service/loadService.ts";
import { ServiceProblem } from "../../../features/service/ServiceProblem.tsx";

/** No such service or version; the answer's status is 404. */
export default async function ServiceNotFound() {
  const loaded = await loadRequestedService();
  return loaded.ok ? null : <ServiceProblem loaded={loaded} />;
}
