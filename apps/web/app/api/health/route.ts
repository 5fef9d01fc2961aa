import { checkHealth } from "../../../lib/server/checkHealth.ts";
import { type Health, healthResponse } from "../../../lib/server/health.ts";
import { issuer } from "../../../lib/server/issuer.ts";
import { RecentAnswers } from "../../../lib/server/RecentAnswers.ts";
import { registry } from "../../../lib/server/registry.ts";
import { routeMethods } from "../../../lib/server/route.ts";

export const dynamic = "force-dynamic";

/** Milliseconds that askers share an answer. They are not counted: a probe that is refused would end a server in good health. */
const HEALTH_AGE = 1_000;

const answers = new RecentAnswers<Health>(1);

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods({
  GET: async () => {
    const health = await answers.get(
      "",
      () => HEALTH_AGE,
      () => checkHealth(registry(), issuer),
    );
    return healthResponse(health);
  },
});
