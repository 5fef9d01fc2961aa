// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title Minimal on-chain service
/// @notice A counter that any account can increment and the owner can reset. The local stack registers it as a
/// `did:pkh`: an issuer checks `owner()` before it attests a controller.
contract OwnableService is Ownable {
    /// @notice Number of uses since the last reset.
    uint256 public uses;

    /// @notice `caller` used the service.
    event Used(address indexed caller, uint256 uses);

    /// @param owner_ Account that controls the service and therefore its DID.
    constructor(address owner_) Ownable(owner_) {}

    /// @notice Increments the counter.
    function use() external {
        emit Used(msg.sender, ++uses);
    }

    /// @notice Resets the counter to zero. Owner only.
    function reset() external onlyOwner {
        uses = 0;
    }
}
