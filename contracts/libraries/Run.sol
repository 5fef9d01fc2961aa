// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Run: the period that an issuer's attestation of a pair begins and its renewals extend. A pair is a DID and a
/// controller, or a DID and a dataHash. The resolver stores the latest run of each issuer and pair.
/// @dev All zero if the issuer stated nothing. Times are Unix seconds of the block that recorded them, except
/// `statedAt`, which a signature may date up to a day earlier. They fit in 32 bits until 2106, and the run in one slot.
struct Run {
    /// @dev 0 if the issuer has only revoked.
    uint32 startedAt;
    uint32 maturesAt;
    uint32 expiresAt;
    /// @dev Time at which a renewal last moved `expiresAt`; initially that of the beginning.
    uint32 lengthenedAt;
    /// @dev Time at which a revocation, a lost challenge or the owner ended the run; 0 if none did.
    uint32 endedAt;
    /// @dev Time of the last revocation; 0 if the newest statement is an attestation.
    uint32 revokedAt;
    /// @dev Date of the issuer's newest statement, including revocations.
    uint32 statedAt;
    /// @dev True if the newest statement was made by signature.
    bool isSigned;
    /// @dev True if a lost challenge or the owner ended the run. No later distrust undoes such an end.
    bool isEndFinal;
}

/// @notice Conditions of a run, each with its own effect.
enum RunState {
    /// @dev Not expired, ended or void.
    Live,
    /// @dev Live, and its waiting period is over.
    Matured,
    /// @dev Expired less than a grace ago, and not ended. An attestation renews the run.
    Overdue,
    /// @dev Matured or overdue. The account may block and unblock others.
    InCharge,
    /// @dev Live, or live until less than a grace ago, and not ended for good. A challenger needs more issuers than
    /// these.
    Resisting,
    /// @dev Resisting, and matured before it ended. It prevents others from reclaiming the account's records.
    Standing
}

using RunLib for Run global;

/// @title Beginning, renewal and end of a run
/// @dev Functions that take `at` answer for that second, if nobody acts until then.
library RunLib {
    /// @dev Date that stands for no date.
    uint256 internal constant NEVER = type(uint32).max;
    /// @dev Time after its expiry in which a run can still be renewed, in seconds.
    uint256 internal constant GRACE = 7 days;
    /// @dev Longest time from the first distrust of an issuer to the expiry of a run that a thief of its key may have
    /// extended, in seconds: the 30 days of a reclaim without the longest maturation that comes before.
    uint256 internal constant DISTRUSTED_LIFE = 23 days;

    /// @dev Writes the run with a single `sstore`. The compiler would write most fields one by one.
    function store(Run memory self, Run storage stored) internal {
        uint256 word = self.startedAt | (uint256(self.maturesAt) << 32) | (uint256(self.expiresAt) << 64);
        word |= (uint256(self.lengthenedAt) << 96) | (uint256(self.endedAt) << 128);
        word |= (uint256(self.revokedAt) << 160) | (uint256(self.statedAt) << 192);
        if (self.isSigned) word |= 1 << 224;
        if (self.isEndFinal) word |= 1 << 232;
        assembly ("memory-safe") {
            sstore(stored.slot, word)
        }
    }

    /// @dev Removes the parts of a run that are void because its issuer is distrusted.
    /// @param since Time since which the issuer's statements are void; `NEVER` if the issuer is trusted.
    /// @param distrustedAt Time of the first distrust.
    function applyDistrust(Run memory self, uint256 since, uint256 distrustedAt) internal pure {
        if (self.startedAt >= since) {
            self.startedAt = self.maturesAt = self.expiresAt = self.endedAt = 0;
            return;
        }
        if (self.endedAt >= since && !self.isEndFinal) self.endedAt = 0;
        uint256 latest = distrustedAt + DISTRUSTED_LIFE;
        if (self.lengthenedAt >= since && self.expiresAt > latest) self.expiresAt = uint32(latest);
    }

    /// @dev Returns the first second at which the run is no longer live; 0 if there is no run.
    function end(Run memory self) internal pure returns (uint256) {
        return self.endedAt != 0 && self.endedAt < self.expiresAt ? self.endedAt : self.expiresAt;
    }

    /// @dev Returns true if the run is in a state, see `RunState`. No run expires before it matures.
    function isIn(Run memory self, RunState state, uint256 at) internal pure returns (bool) {
        uint256 until = self.end();
        if (state == RunState.Live) return at < until;
        if (state == RunState.Matured) return at < until && self.maturesAt <= at;
        if (state == RunState.Resisting) return !self.isEndFinal && at < until + GRACE;
        if (state == RunState.Standing) {
            return !self.isEndFinal && at < until + GRACE && self.maturesAt <= at && self.maturesAt < until;
        }
        bool isOverdue = self.endedAt == 0 && until <= at && at < until + GRACE;
        return isOverdue || (state == RunState.InCharge && at < until && self.maturesAt <= at);
    }

    /// @dev Returns true if an attestation would renew the run and a revocation would end it.
    /// @param isController False for a dataHash, whose runs have no grace.
    function isRenewable(Run memory self, bool isController) internal view returns (bool) {
        bool isOverdue = isController && self.isIn(RunState.Overdue, block.timestamp);
        return isOverdue || self.isIn(RunState.Live, block.timestamp);
    }

    /// @dev Renews the run. Moves `expiresAt` if the new expiry is later; all other dates stay.
    function renew(Run memory self, uint256 expiresAt) internal view {
        self.revokedAt = 0;
        if (expiresAt <= self.expiresAt) return;
        self.expiresAt = uint32(expiresAt);
        self.lengthenedAt = uint32(block.timestamp);
    }

    /// @dev Replaces the run by a new one that begins now.
    function begin(Run memory self, uint256 expiresAt, uint256 maturesAt) internal view {
        self.startedAt = self.lengthenedAt = uint32(block.timestamp);
        (self.maturesAt, self.expiresAt) = (uint32(maturesAt), uint32(expiresAt));
        self.endedAt = self.revokedAt = 0;
        self.isEndFinal = false;
    }

    /// @dev Records a revocation, which ends a renewable run.
    function revoke(Run memory self, bool isController) internal view {
        if (self.isRenewable(isController)) self.endedAt = uint32(block.timestamp);
        self.revokedAt = uint32(block.timestamp);
    }

    /// @dev Ends the run for good. If the run has already ended and distrust doesn't void that end, its date stays.
    function finalize(Run memory self, uint256 distrustedSince) internal view {
        bool isEnded = self.endedAt != 0 && (self.isEndFinal || self.endedAt < distrustedSince);
        if (!isEnded) self.endedAt = uint32(block.timestamp);
        self.isEndFinal = true;
    }
}
