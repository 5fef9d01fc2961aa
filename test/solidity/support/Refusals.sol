// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Collects every reason for which a twin refuses a call, because the contract may check them in any order.
abstract contract Refusals {
    error Refused(bytes[] reasons);

    bytes[] private _reasons;

    function _refuseIf(bool isWrong, bytes memory reason) internal {
        if (isWrong) _reasons.push(reason);
    }

    /// @dev Reverts with all reasons, if there are any. The revert also clears them.
    function _revertIfRefused() internal view {
        if (_reasons.length > 0) revert Refused(_reasons);
    }
}
