import { issuer } from "../../../lib/server/issuer.ts";
import { route } from "../../../lib/server/route.ts";
import { verifyAndAttest, verifyAndAttestProblem } from "../../../lib/server/verifyAndAttest.ts";

export const POST = route((request, context) => verifyAndAttest(request, context, issuer), {
  onProblem: verifyAndAttestProblem,
});
