// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title A minimal on-chain application
/// @notice A counter that anybody may raise and its owner may reset. The local stack registers it as a `did:pkh`:
/// an issuer checks `owner()` before it attests a controller.
contract OwnableService is Ownable {
    /// @notice Number of uses since the last reset.
    uint256 public uses;

    /// @notice Somebody used the service.
    event Used(address indexed caller, uint256 uses);

    /// @param owner_ Account that controls the service, and so its DID.
    constructor(address owner_) Ownable(owner_) {}

    /// @notice Uses the service.
    function use() external {
        emit Used(msg.sender, ++uses);
    }

    /// @notice Sets the counter back to zero. Owner only.
    function reset() external onlyOwner {
        uses = 0;
    }
}
