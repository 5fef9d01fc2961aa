import { registry } from "../../../../lib/server/registry.ts";
import { corsPreflight, route } from "../../../../lib/server/route.ts";
import { serveDataUrl } from "../../../../lib/server/serveDataUrl.ts";

export const GET = route((request) => serveDataUrl(request, registry()));
export const OPTIONS = corsPreflight;
