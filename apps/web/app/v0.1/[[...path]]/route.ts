import { noRoute } from "../../../lib/server/noRoute.ts";

export {
  noRoute as DELETE,
  noRoute as GET,
  noRoute as HEAD,
  noRoute as OPTIONS,
  noRoute as PATCH,
  noRoute as POST,
  noRoute as PUT,
};
