import { ApiProblem } from "./problem.ts";
import { route } from "./route.ts";
import { everyMethod } from "./routeMethods.ts";

const notFound = route(async () => {
  throw new ApiProblem(404, "not-found", "There is no such route", {
    detail: "The routes are listed in /api/openapi.json.",
  });
});

/** The methods of every path that is no route. */
export const noRoute = everyMethod(() => notFound);
