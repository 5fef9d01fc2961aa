import { createRoute } from "../../../lib/server/createRouteHandler.ts";
import { ApiProblem } from "../../../lib/server/problem.ts";
import { walletProofs } from "../../../lib/server/walletProof/walletProof.ts";

export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  {
    GET: async () => {
      const proofs = walletProofs();
      if (!proofs) throw new ApiProblem(404, "not-found", "This server does not require wallet sign-in");
      return Response.json(await proofs.issueNonce(), { headers: { "cache-control": "no-store" } });
    },
  },
  { limit: "readClient" },
);
