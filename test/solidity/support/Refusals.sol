// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev How a twin says what is wrong with a call: all of it, since a contract may check in any order.
abstract contract Refusals {
    error Refused(bytes[] reasons);

    bytes[] private _reasons;

    function _refuseIf(bool isWrong, bytes memory reason) internal {
        if (isWrong) _reasons.push(reason);
    }

    /// @dev Reverts when something is wrong, which also forgets it.
    function _settle() internal view {
        if (_reasons.length > 0) revert Refused(_reasons);
    }
}
