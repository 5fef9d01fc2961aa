// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";

/// @title Status of a record
library AppStatus {
    uint8 internal constant ACTIVE = 0;
    uint8 internal constant DEPRECATED = 1;
    uint8 internal constant REPLACED = 2;

    function check(uint8 status) internal pure {
        if (status > REPLACED) revert IAppRegistry.InvalidStatus(status);
    }
}
