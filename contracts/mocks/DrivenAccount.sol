// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Account that its creator drives
/// @notice Makes the calls that its creator requests. Its ERC-1271 signature of a digest is the digest itself.
contract DrivenAccount is IERC1271 {
    // solhint-disable-next-line immutable-vars-naming
    address private immutable _creator = msg.sender;

    /// @notice The caller is not the creator.
    error OnlyCreator(address caller);

    /// @notice Calls `target`. Returns the revert data if the call reverts.
    function perform(
        address target,
        bytes calldata data
    ) external returns (bool success, bytes memory result) {
        if (msg.sender != _creator) revert OnlyCreator(msg.sender);
        // solhint-disable-next-line avoid-low-level-calls
        (success, result) = target.call(data);
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external pure returns (bytes4) {
        bool valid = signature.length == 32 && bytes32(signature) == hash;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
