import { forceExitAfterGrace } from "../forceExitAfterGrace.ts";
import { reencode } from "../pictures/reencode.ts";

/** Draws a picture and exits like a server that receives a stop signal, at most a second later. */
forceExitAfterGrace(1_000);
const gif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");
await reencode(gif, { deadline: 3_600 });
