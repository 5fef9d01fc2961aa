import { defineConfig } from "hardhat/config";
import config from "../../hardhat.config.ts";

/** Project configuration with a separate folder for Ignition's journals. */
export default defineConfig({
  ...config,
  paths: { ...config.paths, ignition: process.env.TEST_IGNITION_FOLDER ?? ".local/test-ignition" },
});
