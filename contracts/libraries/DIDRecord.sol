// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Run} from "./Run.sol";
import {Source} from "./Statement.sol";

/// @notice Statements, blocks and challenges of one DID.
struct DIDRecord {
    /// @dev The DID's first run, in one slot until it is renewed or ended. Such a run matured when it began.
    ///
    ///     255  250 249     248     247      240 239     224 223     192 191     160 159       0
    ///     +-------+-------+-------+------------+-----------+-----------+-----------+----------+
    ///     |       |renewed| signed| seconds of | number of | seconds   | when the  | the      |
    ///     |       |       |       | backdating | issuer    | of life   | run began | account  |
    ///     +-------+-------+-------+------------+-----------+-----------+-----------+----------+
    ///
    /// The DID is claimed once the beginning is set, which stays. A renewed run is stored with its account's other
    /// runs, and the slot repeats its life until it ends. The issuer is 0 once it has ended, or another run follows. If
    /// only the account is set, the DID has revocations but no attestation yet.
    uint256 first;
    mapping(address account => Controller) controllers;
    mapping(bytes32 subject => mapping(uint256 issuer => Run)) controllerRuns;
    mapping(bytes32 dataHash => mapping(uint256 issuer => Run)) dataHashRuns;
    /// @dev Time at which each challenge was opened; 0 if it was never opened, or was won.
    mapping(address incumbent => mapping(address challenger => uint256)) challenges;
}

/// @notice Block and removal of an account.
/// @dev A block applies to runs that mature after `blockedAt`.
struct Controller {
    uint64 blockedAt;
    /// @dev First second at which the block has ended; 0 if the account was never blocked, or was unblocked.
    uint64 blockedUntil;
    uint64 weight;
    /// @dev Time at which the account last lost a challenge; 0 if it never did.
    uint64 removedAt;
}

using DIDRecordLib for DIDRecord global;

/// @title Storage of the statements about a DID
/// @dev A subject is a controller's address as a word, or a dataHash.
library DIDRecordLib {
    uint256 private constant _LIFE_MASK = uint256(type(uint32).max) << 192;
    uint256 private constant _ISSUER_MASK = uint256(type(uint16).max) << 224;
    uint256 private constant _RENEWED = 1 << 249;

    /// @dev Returns the time of the first attestation of the DID; 0 if it was never attested.
    function claimedAt(DIDRecord storage self) internal view returns (uint256) {
        return uint32(self.first >> 160);
    }

    /// @dev Returns the run of an issuer about a subject, without applying distrust.
    function load(
        DIDRecord storage self,
        bytes32 subject,
        bool isController,
        uint256 issuer
    ) internal view returns (Run memory run) {
        if (!isController) return self.dataHashRuns[subject][issuer];
        uint256 first = self.first;
        if (first & _RENEWED != 0 || !_isFirst(first, subject, issuer)) {
            return self.controllerRuns[subject][issuer];
        }
        run.startedAt = run.maturesAt = run.lengthenedAt = uint32(first >> 160);
        run.expiresAt = run.startedAt + uint32(first >> 192);
        run.statedAt = run.startedAt - uint8(first >> 240);
        run.isSigned = first >> 248 != 0;
    }

    /// @dev Writes a run. If the DID's slot holds it, moves it to the account's other runs. The slot keeps its life.
    function save(
        DIDRecord storage self,
        bytes32 subject,
        bool isController,
        uint256 issuer,
        Run memory run
    ) internal {
        if (!isController) return run.store(self.dataHashRuns[subject][issuer]);
        uint256 first = self.first == 0 ? uint256(subject) : self.first;
        if (self.claimedAt() == 0) self.first = first | (uint256(run.startedAt) << 160);
        else if (_isFirst(first, subject, issuer)) self.first = _follow(first, run);
        run.store(self.controllerRuns[subject][issuer]);
    }

    /// @dev Returns true if the DID's first run fits in the DID's slot: there is no statement about a controller of the
    /// DID yet, and this one was signed at most 255 seconds ago.
    function canClaim(DIDRecord storage self, uint256 statedAt) internal view returns (bool) {
        return self.first == 0 && block.timestamp - statedAt <= type(uint8).max;
    }

    /// @dev Writes the DID's first run into the DID's slot. The run begins now.
    function claim(DIDRecord storage self, bytes32 subject, uint256 expiresAt, Source memory by) internal {
        unchecked {
            uint256 first = uint256(subject) | (block.timestamp << 160) | (uint256(by.number) << 224);
            first |= ((expiresAt - block.timestamp) << 192) | ((block.timestamp - by.statedAt) << 240);
            self.first = by.isSigned ? first | (1 << 248) : first;
        }
    }

    /// @dev Returns the number of the issuer of the run in the DID's slot; 0 if the run is of another account or has
    /// expired.
    function issuerOfFirst(DIDRecord storage self, address account) internal view returns (uint16) {
        uint256 first = self.first;
        bool isExpired = block.timestamp >= uint256(uint32(first >> 160)) + uint32(first >> 192);
        return isExpired || address(uint160(first)) != account ? 0 : uint16(first >> 224);
    }

    function toSubject(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function toAddress(bytes32 subject) internal pure returns (address) {
        return address(uint160(uint256(subject)));
    }

    /// @dev Returns the DID's slot after a change of the run that it holds.
    function _follow(uint256 first, Run memory run) private pure returns (uint256) {
        // No other run of the pair matures when the first one did.
        bool isSame = run.maturesAt == uint32(first >> 160) && run.endedAt == 0;
        if (!isSame) return first & ~_ISSUER_MASK;
        return (first & ~_LIFE_MASK) | _RENEWED | (uint256(run.expiresAt - run.maturesAt) << 192);
    }

    function _isFirst(uint256 first, bytes32 subject, uint256 issuer) private pure returns (bool) {
        return address(uint160(first)) == toAddress(subject) && uint16(first >> 224) == issuer;
    }
}
