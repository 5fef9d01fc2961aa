// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {ResolverHandler} from "./ResolverHandler.sol";

/// @dev What holds of a resolver whatever its users do.
contract ResolverInvariantsTest is ResolverHandler {
    function targetContracts() external view returns (address[] memory) {
        return _targetContracts();
    }

    function targetSelectors() external view returns (FuzzSelector[] memory) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = selectors[1] = this.act.selector;
        (selectors[2], selectors[3]) = (this.relay.selector, this.dispute.selector);
        selectors[4] = this.steal.selector;
        return _targetSelectors(selectors);
    }

    /// @dev Nothing would be shown by a run in which nothing is accepted.
    function afterInvariant() external view {
        require(_accepted[IResolver.attestDID.selector] > 0, "no attestation");
        require(_accepted[IResolver.revokeDID.selector] > 0, "no revocation");
        require(_accepted[IResolver.removeIssuer.selector] > 0, "no issuer is removed");
        require(_accepted[IResolver.addIssuer.selector] > 0, "no issuer is added");
        require(_relayed > 0, "no signature");
        uint256 vouches = _accepted[IResolver.vouchController.selector];
        require(vouches + _accepted[IResolver.rejectController.selector] > 0, "no vouch and no rejection");
        require(_accepted[IResolver.challengeDID.selector] > 0, "no challenge");
        require(_accepted[IResolver.resolveChallenge.selector] > 0, "no challenge is resolved");
    }

    function invariant_noAttestationIsLiveThatItsIssuerDidNotMake() external view {
        require(!_isForged, "signature");
        for (uint256 did = 0; did < DIDS; ++did) {
            bytes32 didHash = _didHash(did);
            for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
                address account = _account(i);
                bool isAttested = _requireSaid(
                    IResolver(resolver).getDIDAttestations(didHash, account),
                    didHash,
                    _subject(account)
                );
                require(isAttested || !IResolver(resolver).checkDID(didHash, account), "counts");
            }
            for (uint256 i = 0; i < 2; ++i) {
                bytes32 dataHash = _dataHash(i);
                bool isAttested = _requireSaid(
                    IResolver(resolver).getDataHashAttestations(didHash, dataHash),
                    didHash,
                    dataHash
                );
                bool isConfirmed = IResolver(resolver).checkDataHashAttestation(didHash, dataHash);
                require(isAttested == isConfirmed, "dataHash");
            }
        }
    }

    /// @dev Neither one who is removed, nor what one who is authorised again said before.
    function invariant_onlyIssuersAreHeard() external view {
        uint256 count;
        for (uint256 i = 0; i < ACCOUNTS; ++i) {
            bool isIssuer = _authorisation[_account(i)] != 0;
            require(IResolver(resolver).isIssuer(_account(i)) == isIssuer, "issuer");
            if (isIssuer) ++count;
        }
        require(IResolver(resolver).getIssuers().length == count, "issuers");
        for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
            for (uint256 did = 0; did < DIDS; ++did) _requireHeard(_didHash(did), _account(i));
        }
    }

    function invariant_aNonceWorksOnce() external view {
        require(!_isReused, "works again");
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) {
            uint256[] memory nonces = _spent[_account(i)];
            for (uint256 j = 0; j < nonces.length; ++j) {
                require(IResolver(resolver).isNonceUsed(_account(i), nonces[j]), "unused");
            }
        }
    }

    function invariant_whoCountsIsAsTheTwinSays() external view {
        require(!_isAtOdds, "who counts");
    }

    function invariant_aScoreIsNeverHigherThanTheIssuers() external view {
        uint256 issuers = IResolver(resolver).getIssuers().length;
        for (uint256 did = 0; did < DIDS; ++did) {
            for (uint256 i = FIRST; i < ACCOUNTS; ++i) {
                uint256 score = IResolver(resolver).ownershipScore(_didHash(did), _account(i));
                require(score <= issuers, "issuers");
                require(score <= _countStanding(_didHash(did), _account(i)), "live attestations");
            }
        }
    }

    function invariant_theFirstControllerStaysTheFirst() external view {
        for (uint256 did = 0; did < DIDS; ++did) {
            require(IResolver(resolver).firstController(_didHash(did)) == _first[_didHash(did)], "first");
        }
    }

    function invariant_onlyRolesChangeAnything() external view {
        require(!_isRobbed, "a stranger changes something");
        for (uint256 did = 0; did < DIDS; ++did) {
            require(!IResolver(resolver).checkDID(_didHash(did), THIEF), "a stranger counts");
        }
    }

    /// @dev Requires of each live attestation that it is its issuer's word, and of each word that it is live; returns
    /// whether there is one.
    function _requireSaid(
        IResolver.AttestationView[] memory views,
        bytes32 didHash,
        bytes32 subject
    ) private view returns (bool) {
        uint256 live;
        for (uint256 i = 0; i < views.length; ++i) {
            if (!views[i].live) continue;
            ++live;
            require(_standsUntil(views[i].issuer, didHash, subject) == views[i].expiresAt, "not said");
        }
        uint256 said;
        for (uint256 i = 1; i <= LAST_ISSUER; ++i) {
            if (_standsUntil(_account(i), didHash, subject) != 0) ++said;
        }
        require(live == said, "not heard");
        return live > 0;
    }

    function _requireHeard(bytes32 didHash, address controller) private view {
        IResolver.AttestationView[] memory views = IResolver(resolver).getDIDAttestations(
            didHash,
            controller
        );
        for (uint256 i = 0; i < views.length; ++i) {
            require(_authorisation[views[i].issuer] != 0, "removed");
            require(views[i].attestedAt >= _authorisedAt[views[i].issuer], "before it was authorised");
        }
        if (_countStanding(didHash, controller) > 0) return;
        require(!IResolver(resolver).checkDID(didHash, controller), "counts");
        require(IResolver(resolver).ownershipScore(didHash, controller) == 0, "scores");
    }
}
