export { confirmService, defineConnect, findService, runGuard } from "./connectCommand.ts";
export {
  addRegistryOptions,
  type Connection,
  connect,
  ExitCode,
  type RootOptions,
  readTextFile,
  toExitCode,
  UsageError,
} from "./connection.ts";
export { readRegisteredService, withTimeout } from "./guard/registered.ts";
