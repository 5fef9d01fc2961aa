// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Counts of the registry, in one word.
///
/// | bits     | field   |                                                                    |
/// |----------|---------|--------------------------------------------------------------------|
/// | 0..31    | supply  | number of tokens, which is also the highest token id               |
/// | 32..71   | blobs   | number of blobs written                                            |
/// | 72..167  | records | number of records with status 0, 1 and 2, 32 bits each             |
type Totals is uint256;

using TotalsLibrary for Totals global;

/// @title Counts of the registry
library TotalsLibrary {
    uint256 private constant _ONE_BLOB = 1 << 32;
    uint256 private constant _RECORDS_SHIFT = 72;
    uint256 private constant _ONE_ACTIVE = 1 << _RECORDS_SHIFT;

    /// @notice Returns the number of tokens.
    function supply(Totals self) internal pure returns (uint256) {
        return uint32(Totals.unwrap(self));
    }

    /// @notice Returns the number of blobs written.
    function blobs(Totals self) internal pure returns (uint40) {
        return uint40(Totals.unwrap(self) >> 32);
    }

    /// @notice Returns the number of records with a status.
    function count(Totals self, uint8 status) internal pure returns (uint256) {
        return uint32(Totals.unwrap(self) >> _shift(status));
    }

    /// @notice Returns the counts with one more token, whose record is Active.
    function withToken(Totals self) internal pure returns (Totals) {
        unchecked {
            return Totals.wrap(Totals.unwrap(self) + _ONE_ACTIVE + 1);
        }
    }

    /// @notice Returns the counts with one more blob.
    function withBlob(Totals self) internal pure returns (Totals) {
        unchecked {
            return Totals.wrap(Totals.unwrap(self) + _ONE_BLOB);
        }
    }

    /// @notice Returns the counts after a record's status changed.
    function withMove(Totals self, uint8 oldStatus, uint8 newStatus) internal pure returns (Totals) {
        unchecked {
            return Totals.wrap(Totals.unwrap(self) - (1 << _shift(oldStatus)) + (1 << _shift(newStatus)));
        }
    }

    function _shift(uint256 status) private pure returns (uint256) {
        unchecked {
            return _RECORDS_SHIFT + (status << 5);
        }
    }
}
