import { ApiProblem } from "../../../lib/server/problem.ts";
import { route } from "../../../lib/server/route.ts";

const notFound = route(async () => {
  throw new ApiProblem(404, "not-found", "There is no such route", {
    detail: "The routes are listed in /api/openapi.json.",
  });
});

export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
