// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What one issuer stated about one pair of DID and controller, or DID and dataHash: its latest run.
/// @dev An attestation begins a run, and renewals continue it. All zero if the issuer stated nothing. Times are Unix
/// seconds of the block that recorded them, except `statedAt`, which a signature may date up to a day earlier.
struct Run {
    /// @dev 0 if the issuer has only revoked.
    uint40 startedAt;
    /// @dev Date of the issuer's newest statement, a revocation included.
    uint40 statedAt;
    /// @dev `NEVER` if the first attestation of the run would have expired by then.
    uint40 settlesAt;
    uint40 expiresAt;
    /// @dev 0 unless the issuer revoked it, or an ousting or the owner ended it.
    uint40 endedAt;
    /// @dev End of the last settled run before this one; 0 if there was none.
    uint40 countedUntil;
    /// @dev A controller who counted vouched for it.
    bool vouched;
    /// @dev The owner or an ousting ended it, which no distrust undoes.
    bool isEndFinal;
}

using RunLib for Run global;

/// @title How a run begins, continues and ends
library RunLib {
    uint40 internal constant NEVER = type(uint40).max;
    /// @dev Time after expiry within which a settled run can be renewed without loss.
    uint256 internal constant GRACE = 7 days;
    /// @dev Longest life, since the distrust of its issuer, of a run that may have been written over.
    uint256 internal constant DISTRUSTED_LIFE = 30 days;
    /// @dev How far a signature may be backdated.
    uint256 internal constant MAX_BACKDATE = 1 days;

    /// @dev Reduces a run to what the distrust of its issuer leaves of it.
    /// @param distrustedSince `NEVER` if the issuer is trusted.
    function restrict(Run memory self, uint256 distrustedSince) internal pure returns (Run memory) {
        if (distrustedSince == NEVER) return self;
        if (self.countedUntil > distrustedSince) self.countedUntil = uint40(distrustedSince);
        if (self.startedAt >= distrustedSince) {
            self.startedAt = self.settlesAt = self.expiresAt = self.endedAt = 0;
            return self;
        }
        if (self.endedAt >= distrustedSince && !self.isEndFinal) self.endedAt = 0;
        uint256 latest = distrustedSince + DISTRUSTED_LIFE;
        bool mayBeWrittenOver = self.statedAt + MAX_BACKDATE >= distrustedSince;
        if (mayBeWrittenOver && self.expiresAt > latest) self.expiresAt = uint40(latest);
        return self;
    }

    /// @dev Ends a stored run for good. An end that distrust doesn't void keeps its time.
    function finish(Run storage self, uint256 distrustedSince) internal {
        Run memory run = self;
        if (run.restrict(distrustedSince).endedAt == 0) self.endedAt = uint40(block.timestamp);
        self.isEndFinal = true;
    }

    /// @dev Whether the run has neither expired nor ended.
    function isLive(Run memory self) internal view returns (bool) {
        return block.timestamp < self.end();
    }

    /// @dev Whether the run settled while it was live; it may have expired or ended since.
    function hasSettled(Run memory self) internal view returns (bool) {
        return self.settlesAt <= block.timestamp && self.settlesAt < self.end();
    }

    function isSettled(Run memory self) internal view returns (bool) {
        return self.isLive() && self.settlesAt <= block.timestamp;
    }

    /// @dev Whether an attestation renews the run.
    function isHeld(Run memory self) internal view returns (bool) {
        return self.isLive() || (self.hasSettled() && block.timestamp < self.heldUntil());
    }

    /// @dev Whether the run gives its controller standing, which outlasts it by `tail`.
    function hasStanding(Run memory self, uint256 tail) internal view returns (bool) {
        return self.hasSettled() && block.timestamp < self.heldUntil() + tail;
    }

    /// @dev Whether a run of this issuer that had settled by `objectedAt` was live at any moment from `since` on. Only the
    /// end of the earlier run is known.
    function countedSince(Run memory self, uint256 since, uint256 objectedAt) internal view returns (bool) {
        if (self.countedUntil > since && self.countedUntil <= objectedAt) return true;
        return self.hasSettled() && self.settlesAt <= objectedAt && self.end() > since;
    }

    /// @dev First second at which the run is no longer live; 0 if there is no run.
    function end(Run memory self) internal pure returns (uint256) {
        return self.endedAt != 0 && self.endedAt < self.expiresAt ? self.endedAt : self.expiresAt;
    }

    /// @dev First second at which a settled run is no longer held.
    function heldUntil(Run memory self) internal pure returns (uint256) {
        uint256 graceEnd = self.expiresAt + GRACE;
        return self.endedAt != 0 && self.endedAt < graceEnd ? self.endedAt : graceEnd;
    }

    /// @dev Whether the issuer's last statement is an attestation that nothing has ended.
    function isAttested(Run memory self) internal pure returns (bool) {
        return self.startedAt != 0 && self.endedAt == 0;
    }

    /// @dev Renews the run if it is held, else begins one that settles at `settlesAt`.
    function attest(Run memory self, uint256 statedAt, uint256 expiresAt, uint256 settlesAt) internal view {
        if (self.isHeld()) {
            if (expiresAt > self.expiresAt) self.expiresAt = uint40(expiresAt);
        } else {
            if (self.hasSettled()) self.countedUntil = uint40(self.end());
            self.startedAt = uint40(block.timestamp);
            self.settlesAt = settlesAt < expiresAt ? uint40(settlesAt) : NEVER;
            self.expiresAt = uint40(expiresAt);
            self.endedAt = 0;
            self.vouched = self.isEndFinal = false;
        }
        self.statedAt = uint40(statedAt);
    }

    /// @dev Ends the run, if there is one; a later revocation does not move the end.
    function revoke(Run memory self, uint256 statedAt) internal view {
        if (self.endedAt == 0) self.endedAt = uint40(block.timestamp);
        self.statedAt = uint40(statedAt);
    }
}
