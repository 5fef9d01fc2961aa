// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Issuer} from "./Issuers.sol";
import {Run} from "./Run.sol";

/// @notice Who states something, when, and how.
struct Statement {
    address issuer;
    uint256 statedAt;
    bool isSigned;
    /// @dev A batch skips an entry that would revert because of other statements.
    bool isBatch;
    /// @dev The number and limits of the issuer.
    Issuer terms;
}

using StatementLib for Statement global;

/// @title The order of statements: an issuer's newest statement about a pair wins
library StatementLib {
    /// @dev Whether the statement is the newest one. Reverts if it isn't and contradicts the newest one, except in a
    /// batch.
    /// @param run What the issuer stated before.
    /// @param oustedAt When the pair's controller was last ousted; 0 if it never was.
    function isNewest(
        Statement memory self,
        Run memory run,
        uint256 oustedAt,
        bool isRevocation
    ) internal pure returns (bool) {
        // A direct statement is always the newest, except in the second of an ousting.
        uint256 newestAt = self.isSigned && run.statedAt > oustedAt ? run.statedAt : oustedAt;
        if (self.statedAt > newestAt || (isRevocation && self.statedAt == newestAt)) return true;
        if (run.isAttested() == isRevocation && !self.isBatch) {
            revert IResolver.StaleStatement(uint64(self.statedAt), uint64(newestAt));
        }
        return false;
    }
}
