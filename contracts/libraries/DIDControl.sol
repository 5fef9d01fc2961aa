// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Controller} from "./DIDRecord.sol";
import {Run, RunState} from "./Run.sol";

/// @notice Runs of one account or dataHash for one DID, and the block on the account.
struct AccountRuns {
    Run[] runs;
    Controller controller;
    /// @dev Time after it matured from which a run counts against a block, in seconds.
    uint256 challengePeriod;
}

using DIDControl for AccountRuns global;

/// @title Control of a DID
/// @notice Decides from the runs of all issuers who controls a DID. Functions that take `at` answer for that second, if
/// nobody acts until then.
library DIDControl {
    uint256 private constant _NO_BLOCK = type(uint256).max;

    /// @dev Returns the number of issuers whose run is in a state, and matured at `by` or earlier.
    function count(
        AccountRuns memory self,
        RunState state,
        uint256 at,
        uint256 by
    ) internal pure returns (uint256 number) {
        for (uint256 i = 0; i < self.runs.length; ++i) {
            if (self.runs[i].maturesAt <= by && self.runs[i].isIn(state, at)) ++number;
        }
    }

    /// @dev Returns the time after which a run must mature for the block on the account to apply to it. Returns the
    /// highest uint256 if no block applies.
    function blockedAfter(AccountRuns memory self, uint256 at) internal pure returns (uint256) {
        if (at >= self.controller.blockedUntil) return _NO_BLOCK;
        uint256 opposed = 0;
        for (uint256 i = 0; i < self.runs.length; ++i) {
            uint256 opposesFrom = self.challengePeriod + self.runs[i].maturesAt;
            bool isLongEnough = opposesFrom <= at && opposesFrom < self.runs[i].expiresAt;
            if (isLongEnough && self.runs[i].isIn(RunState.InCharge, at)) ++opposed;
        }
        return opposed > self.controller.weight ? _NO_BLOCK : self.controller.blockedAt;
    }

    /// @dev Returns the number of issuers whose run is in a state, and to which no block applies.
    function unblocked(AccountRuns memory self, RunState state, uint256 at) internal pure returns (uint256) {
        return self.count(state, at, self.blockedAfter(at));
    }

    function controls(AccountRuns memory self, uint256 at) internal pure returns (bool) {
        return self.unblocked(RunState.Matured, at) > 0;
    }

    /// @dev Returns the number of issuers that a challenger's score must exceed.
    function resistance(AccountRuns memory self) internal view returns (uint256) {
        return self.count(RunState.Resisting, block.timestamp, type(uint256).max);
    }

    /// @dev Returns the first second, from now on, at which the account controls the DID if nobody acts; 0 if it never
    /// will.
    function controlsFrom(AccountRuns memory self) internal view returns (uint256 from) {
        // If nobody acts, an account can gain control only when a run matures, when a block ends, and when a run begins
        // to count against a block.
        from = _earlier(self, type(uint256).max, block.timestamp);
        from = _earlier(self, from, self.controller.blockedUntil);
        for (uint256 i = 0; i < self.runs.length; ++i) {
            from = _earlier(self, from, self.runs[i].maturesAt);
            from = _earlier(self, from, self.challengePeriod + self.runs[i].maturesAt);
        }
        if (from == type(uint256).max) from = 0;
    }

    function _earlier(AccountRuns memory self, uint256 from, uint256 at) private view returns (uint256) {
        return at >= block.timestamp && at < from && self.controls(at) ? at : from;
    }
}
