// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../interfaces/IResolver.sol";
import {Run} from "./Run.sol";

/// @notice Who states something, and when.
struct Statement {
    address issuer;
    uint16 number;
    uint40 statedAt;
    bool isSigned;
}

/// @notice What becomes of a statement that meets an older one about its pair.
enum Order {
    Newer,
    /// @dev Not newer, and says the same.
    Repeated,
    /// @dev Not newer, and says something else.
    Stale
}

using StatementLib for Statement global;

/// @title The order of statements: an issuer's newest statement about a pair wins
library StatementLib {
    /// @param run What the issuer stated before.
    /// @param oustedAt When the pair's controller was ousted last; 0 when it never was.
    function order(
        Statement memory self,
        Run memory run,
        uint256 oustedAt,
        bool isRevocation
    ) internal pure returns (Order) {
        uint256 newestAt = self.newestBefore(run, oustedAt);
        if (self.statedAt > newestAt) return Order.Newer;
        if (isRevocation && self.statedAt == newestAt) return Order.Newer;
        bool isAttested = run.isAttested() && run.startedAt > oustedAt;
        return isAttested != isRevocation ? Order.Repeated : Order.Stale;
    }

    /// @dev The date that a statement must exceed. A direct one is the chain's newest word: only in the second of an
    /// ousting may it come too late.
    function newestBefore(
        Statement memory self,
        Run memory run,
        uint256 oustedAt
    ) internal pure returns (uint256) {
        return self.isSigned && run.statedAt > oustedAt ? run.statedAt : oustedAt;
    }
}
