// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Cheatcodes that the tests use.
interface ICheatcodes {
    function warp(uint256 timestamp) external;
    function prank(address caller) external;
    function getCode(string calldata artifact) external view returns (bytes memory);
}

ICheatcodes constant VM = ICheatcodes(address(uint160(uint256(keccak256("hevm cheat code")))));
