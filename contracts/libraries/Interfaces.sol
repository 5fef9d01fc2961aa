// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAppRegistry} from "../interfaces/IAppRegistry.sol";

/// @title Interface bitmap of a record
/// @dev Bit 0 Human, bit 1 API, bit 2 Contract; at least one is set.
library Interfaces {
    uint16 private constant _ALL = 7;

    function check(uint16 interfaces) internal pure {
        if (interfaces == 0 || interfaces > _ALL) revert IAppRegistry.InvalidInterfaces(interfaces);
    }

    /// @notice Reverts unless `interfaces` may follow `current`. Within a major version, no interface is ever removed,
    /// and a new one needs a higher minor version.
    function checkChange(uint16 current, uint16 interfaces, bool isMinorHigher) internal pure {
        check(interfaces);
        if (current & ~interfaces != 0) revert IAppRegistry.InterfaceRemoved(current, interfaces);
        if (!isMinorHigher) revert IAppRegistry.InterfaceChangeNeedsMinor(current, interfaces);
    }
}
