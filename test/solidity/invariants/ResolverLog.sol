// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {ResolverFuzz} from "../fuzz/ResolverFuzz.sol";

/// @dev What each issuer has said itself, kept apart from the resolver: one word for each subject and issuer.
abstract contract ResolverLog is ResolverFuzz {
    struct Word {
        uint256 authorisation;
        /// @dev Zero once taken back.
        uint256 expiresAt;
        uint256 revokedAt;
    }

    /// @dev Accounts 1 to 4 are issuers at one time or another.
    uint256 internal constant LAST_ISSUER = 4;

    /// @dev Accepted calls by selector, without those that set up.
    mapping(bytes4 selector => uint256) internal _accepted;
    uint256 internal _steps;
    /// @dev Number of the authorisation that an issuer has now, or 0.
    mapping(address issuer => uint256) internal _authorisation;
    /// @dev When an issuer was last authorised.
    mapping(address issuer => uint256) internal _authorisedAt;
    mapping(bytes32 didHash => address) internal _first;
    mapping(bytes32 didHash => mapping(bytes32 subject => mapping(address issuer => Word))) private _words;
    mapping(bytes32 didHash => mapping(bytes32 subject => uint256)) private _oustedAt;
    uint256 private _lastAuthorisation;
    bool private _wouldWin;

    /// @dev Logs what an accepted call has said or decided.
    function note(address caller, bytes calldata data) external {
        bytes4 selector = bytes4(data);
        if (selector == IResolver.addIssuer.selector) {
            address issuer = abi.decode(data[4:], (address));
            (_authorisation[issuer], _authorisedAt[issuer]) = (++_lastAuthorisation, block.timestamp);
        } else if (selector == IResolver.removeIssuer.selector) {
            _authorisation[abi.decode(data[4:], (address))] = 0;
        } else if (
            selector == IResolver.attestDID.selector || selector == IResolver.attestDataHash.selector
        ) {
            (bytes32 didHash, bytes32 subject, uint64 expiresAt) = abi.decode(
                data[4:],
                (bytes32, bytes32, uint64)
            );
            _say(caller, didHash, subject, expiresAt);
        } else if (
            selector == IResolver.revokeDID.selector || selector == IResolver.revokeDataHash.selector
        ) {
            (bytes32 didHash, bytes32 subject) = abi.decode(data[4:], (bytes32, bytes32));
            _takeBack(caller, didHash, subject);
        } else if (selector == IResolver.resolveChallenge.selector && _wouldWin) {
            (bytes32 didHash, address incumbent) = abi.decode(data[4:], (bytes32, address));
            _oust(didHash, incumbent);
        }
    }

    /// @dev Whether a challenge would be won now, by what the issuers have said and the challenger's score.
    function weigh(bytes calldata data) external {
        (bytes32 didHash, address incumbent, address challenger) = abi.decode(
            data[4:],
            (bytes32, address, address)
        );
        uint256 score = IResolver(resolver).ownershipScore(didHash, challenger);
        _wouldWin = score > _countStanding(didHash, incumbent);
    }

    function _call(
        address caller,
        bytes memory data
    ) internal override returns (bool ok, bytes memory answer) {
        if (bytes4(data) == IResolver.resolveChallenge.selector) this.weigh(data);
        (ok, answer) = super._call(caller, data);
        if (!ok) return (ok, answer);
        if (_steps > 0) ++_accepted[bytes4(data)];
        this.note(caller, data);
    }

    function _say(address issuer, bytes32 didHash, bytes32 subject, uint256 expiresAt) internal {
        if (expiresAt == 0) expiresAt = block.timestamp + IResolver(resolver).maxTTL();
        uint256 revokedAt = _supersededAt(issuer, didHash, subject);
        _words[didHash][subject][issuer] = Word(_authorisation[issuer], expiresAt, revokedAt);
        bool isController = uint256(subject) <= type(uint160).max;
        if (isController && _first[didHash] == address(0))
            _first[didHash] = address(uint160(uint256(subject)));
    }

    function _takeBack(address issuer, bytes32 didHash, bytes32 subject) internal {
        _words[didHash][subject][issuer] = Word(_authorisation[issuer], 0, block.timestamp);
    }

    /// @dev Up to when what an issuer signed is void: its last revocation under its authorisation, or an ousting.
    function _supersededAt(address issuer, bytes32 didHash, bytes32 subject) internal view returns (uint256) {
        Word memory word = _words[didHash][subject][issuer];
        uint256 revokedAt = word.authorisation == _authorisation[issuer] ? word.revokedAt : 0;
        uint256 oustedAt = _oustedAt[didHash][subject];
        return revokedAt > oustedAt ? revokedAt : oustedAt;
    }

    /// @dev When the word of an issuer, who is authorised still as it was then, expires; 0 when it has none that stands.
    function _standsUntil(address issuer, bytes32 didHash, bytes32 subject) internal view returns (uint256) {
        Word memory word = _words[didHash][subject][issuer];
        if (word.authorisation == 0 || word.authorisation != _authorisation[issuer]) return 0;
        return block.timestamp < word.expiresAt ? word.expiresAt : 0;
    }

    /// @dev Issuers whose word for a controller stands.
    function _countStanding(bytes32 didHash, address controller) internal view returns (uint256 count) {
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) {
            if (_standsUntil(_account(i), didHash, _subject(controller)) != 0) ++count;
        }
    }

    function _subject(address controller) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(controller)));
    }

    /// @dev Nothing that was said of an ousted controller up to now stands.
    function _oust(bytes32 didHash, address controller) private {
        bytes32 subject = _subject(controller);
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) delete _words[didHash][subject][_account(i)];
        _oustedAt[didHash][subject] = block.timestamp;
    }
}
