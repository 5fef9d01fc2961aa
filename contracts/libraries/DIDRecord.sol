// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Issuers} from "./Issuers.sol";
import {Run, RunLib} from "./Run.sol";

/// @notice Everything the resolver knows about one DID's controllers.
struct DIDRecord {
    FirstRun first;
    mapping(address account => Controller) controllers;
    mapping(address incumbent => mapping(address challenger => Challenge)) challenges;
}

/// @notice A DID's first run, in one slot until it is renewed, vouched for or ended.
/// @dev Such a run settled when it began. The DID is claimed once `startedAt` is set. If only `controller` is set, the
/// DID has revocations but no attestation yet.
struct FirstRun {
    address controller;
    uint40 startedAt;
    /// @dev From the start to the expiry, in seconds.
    uint32 lifetime;
    /// @dev 0 if the run is stored with its controller's other runs.
    uint16 issuer;
    /// @dev From the statement to the start, in seconds.
    uint8 lag;
}

/// @notice An account that was attested, revoked or objected to for a DID.
struct Controller {
    /// @dev When it last lost a challenge; 0 if it never did.
    uint40 oustedAt;
    uint8 objectionCount;
    Objection[4] objections;
    mapping(uint16 issuer => Run) runs;
}

struct Objection {
    address author;
    uint40 madeAt;
}

struct Challenge {
    uint40 openedAt;
    /// @dev Seconds until it can be resolved, and from then until it is void.
    uint40 period;
}

using DIDRecordLib for DIDRecord global;

/// @title Storage of the runs of a DID's controllers
library DIDRecordLib {
    function isClaimed(DIDRecord storage self) internal view returns (bool) {
        return self.first.startedAt != 0;
    }

    /// @dev What an issuer stated about an account, before distrust is applied.
    function load(
        DIDRecord storage self,
        address account,
        uint16 issuer
    ) internal view returns (Run memory run) {
        FirstRun memory first = self.first;
        // Nothing was ever stated about the DID.
        if (first.controller == address(0)) return run;
        if (first.issuer != issuer || first.controller != account) {
            return self.controllers[account].runs[issuer];
        }
        run.startedAt = run.settlesAt = first.startedAt;
        run.statedAt = first.startedAt - first.lag;
        run.expiresAt = first.startedAt + first.lifetime;
    }

    function save(DIDRecord storage self, address account, uint16 issuer, Run memory run) internal {
        FirstRun memory first = self.first;
        if (first.controller == address(0)) {
            self.first = FirstRun(account, run.startedAt, 0, 0, 0);
        } else if (first.startedAt == 0 && run.startedAt != 0) {
            self.first.startedAt = run.startedAt;
        } else if (first.issuer == issuer && first.controller == account) {
            self.first.issuer = 0;
        }
        self.controllers[account].runs[issuer] = run;
    }

    /// @dev Whether the DID's first run fits in the DID's slot: nothing was ever stated about the DID, and the
    /// signature is a few minutes old at most.
    function canClaim(DIDRecord storage self, uint256 statedAt) internal view returns (bool) {
        return self.first.controller == address(0) && block.timestamp - statedAt <= type(uint8).max;
    }

    /// @dev Writes the DID's first run into the DID's slot.
    function claim(
        DIDRecord storage self,
        address account,
        uint16 issuer,
        uint256 statedAt,
        uint256 expiresAt
    ) internal {
        self.first = FirstRun({
            controller: account,
            startedAt: uint40(block.timestamp),
            lifetime: uint32(expiresAt - block.timestamp),
            issuer: issuer,
            lag: uint8(block.timestamp - statedAt)
        });
    }

    /// @dev Moves the first run to its controller's runs, where a vouch or an end can be stored.
    function expand(DIDRecord storage self, address account) internal {
        uint16 issuer = self.first.issuer;
        if (issuer == 0 || self.first.controller != account) return;
        self.save(account, issuer, self.load(account, issuer));
    }

    /// @dev Whether the run in the DID's slot is the account's, is live, and comes from a trusted issuer.
    function isFirstLive(
        DIDRecord storage self,
        address account,
        Issuers storage issuers
    ) internal view returns (bool) {
        FirstRun storage first = self.first;
        return
            first.issuer != 0 &&
            first.controller == account &&
            block.timestamp < uint256(first.startedAt) + first.lifetime &&
            issuers.byNumber[first.issuer].distrustedSince == RunLib.NEVER;
    }

    /// @dev What the seated issuers stated about an account, after distrust, in the order of `issuers.seated()`.
    function runsOf(
        DIDRecord storage self,
        address account,
        Issuers storage issuers
    ) internal view returns (Run[] memory runs) {
        uint16[] memory numbers = issuers.seated();
        runs = new Run[](numbers.length);
        for (uint256 i = 0; i < numbers.length; ++i) {
            Run memory run = self.load(account, numbers[i]);
            if (run.statedAt == 0) continue;
            runs[i] = run.restrict(issuers.byNumber[numbers[i]].distrustedSince);
        }
    }
}
