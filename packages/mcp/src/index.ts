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
  withTimeout,
} from "./connection.ts";
export { readRegisteredService } from "./guard/registered.ts";
