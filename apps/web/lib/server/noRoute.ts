import { ApiProblem } from "./problem.ts";
import { route } from "./route.ts";

/** Answers every method of a path that is no route. */
export const noRoute = route(async () => {
  throw new ApiProblem(404, "not-found", "There is no such route", {
    detail: "The routes are listed in /api/openapi.json.",
  });
});
