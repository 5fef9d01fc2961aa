// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {VM} from "./Vm.sol";

/// @dev Deploys a compiled contract by name. With `new`, the test's own code would include the contract's whole code.
function deploy(string memory name, bytes memory parameters) returns (address created) {
    bytes memory code = bytes.concat(VM.getCode(string.concat(name, ".sol:", name)), parameters);
    assembly ("memory-safe") {
        created := create(0, add(code, 32), mload(code))
    }
    require(created != address(0), name);
}
