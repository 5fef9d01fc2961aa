export { defineConnect, runGuard } from "./connectCommand.ts";
export { addRegistryOptions, type Connection, connect, type RootOptions } from "./connection.ts";
export { ExitCode, toExitCode, UsageError } from "./exitCodes.ts";
export { confirmService, findService } from "./findService.ts";
export { readRegisteredService } from "./guard/registered.ts";
export { readTextFile } from "./readTextFile.ts";
export { withTimeout } from "./target.ts";
