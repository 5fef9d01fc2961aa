import { Hono } from "hono";
import { cors } from "hono/cors";
import { describe, expect, it } from "vitest";
import { jsonText } from "./http.ts";

describe("jsonText", () => {
  it("returns the handler's own response with headers that were set before and after it", async () => {
    const made: Response[] = [];
    const sent: Response[] = [];
    const server = new Hono()
      .use(async (context, next) => {
        await next();
        sent.push(context.res);
        context.res.headers.set("x-after", "1");
      })
      .use(cors({ origin: "*" }))
      .route(
        "/",
        new Hono().get("/", (context) => {
          made.push(jsonText(context, '{"name":"Météo"}'));
          return made[0] as Response;
        }),
      );
    const answer = await server.request("/");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toBe(made[0]);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "content-type": "application/json",
      "x-after": "1",
    });
    expect(await answer.json()).toEqual({ name: "Météo" });
  });
});
