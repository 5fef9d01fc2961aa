// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {IssuerEpochs, IssuerEpochsLibrary} from "./IssuerEpochs.sol";
import {Seat, SeatLibrary} from "./Seat.sol";

/// @notice The authorised issuers. Authorisations are numbered 1, 2, 3 … over all issuers and no number is given
/// twice, so that a number alone tells an authorisation in force from one that has ended.
struct IssuerSet {
    IssuerEpochs epochs;
    mapping(address issuer => Seat) seats;
    mapping(uint256 lane => address) accounts;
    uint16 lastEpoch;
}

using IssuerSetLibrary for IssuerSet global;

/// @title The set of authorised issuers
library IssuerSetLibrary {
    /// @notice Authorises `issuer` in the lowest free lane.
    /// @dev Reverts with `ZeroAddress`, `AlreadyIssuer`, `TooManyIssuers`, and after 65,535 authorisations with a panic.
    function add(IssuerSet storage self, address issuer, uint256 maxTTL) internal returns (uint256 epoch) {
        if (issuer == address(0)) revert IResolver.ZeroAddress();
        if (self.seats[issuer].epoch() != 0) revert IResolver.AlreadyIssuer(issuer);
        uint256 lane = self.epochs.laneOf(0);
        if (lane == IssuerEpochsLibrary.LANES) revert IResolver.TooManyIssuers(IssuerEpochsLibrary.LANES);

        epoch = ++self.lastEpoch;
        self.epochs = self.epochs.with(lane, epoch);
        self.seats[issuer] = SeatLibrary.pack(epoch, lane, maxTTL);
        self.accounts[lane] = issuer;
    }

    /// @notice Ends the authorisation of `issuer`, and with it the life of all that it wrote.
    /// @dev Reverts with `NotIssuer`.
    function remove(IssuerSet storage self, address issuer) internal {
        uint256 lane = seatOf(self, issuer).lane();
        self.epochs = self.epochs.with(lane, 0);
        self.seats[issuer] = Seat.wrap(0);
        delete self.accounts[lane];
    }

    /// @notice Sets the longest lifetime of an attestation in every seat.
    function setMaxTTL(IssuerSet storage self, uint256 maxTTL) internal {
        IssuerEpochs epochs = self.epochs;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            uint256 epoch = epochs.get(lane);
            if (epoch != 0) self.seats[self.accounts[lane]] = SeatLibrary.pack(epoch, lane, maxTTL);
        }
    }

    /// @notice The seat of an authorised issuer.
    /// @dev Reverts with `NotIssuer`.
    function seatOf(IssuerSet storage self, address issuer) internal view returns (Seat seat) {
        seat = self.seats[issuer];
        if (seat.epoch() == 0) revert IResolver.NotIssuer(issuer);
    }

    /// @notice The authorised issuers in the order of their lanes.
    function list(IssuerSet storage self) internal view returns (address[] memory issuers) {
        IssuerEpochs epochs = self.epochs;
        issuers = new address[](IssuerEpochsLibrary.LANES);
        uint256 count;
        for (uint256 lane = 0; epochs.anyFrom(lane); ++lane) {
            if (epochs.get(lane) == 0) continue;
            issuers[count] = self.accounts[lane];
            ++count;
        }
        assembly ("memory-safe") {
            mstore(issuers, count)
        }
    }
}
