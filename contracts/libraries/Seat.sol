// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Where an issuer writes: its lane, and the number of its authorisation.
struct Seat {
    uint16 epoch;
    uint8 lane;
}
