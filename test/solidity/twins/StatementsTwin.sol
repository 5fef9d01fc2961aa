// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IssuersTwin} from "./IssuersTwin.sol";

/// @dev What each authorisation states of each subject, and what has been heard of each controller: a struct each.
abstract contract StatementsTwin is IssuersTwin {
    struct Statement {
        uint256 attestedAt;
        uint256 expiresAt;
        uint256 revokedAt;
    }

    struct Word {
        address author;
        uint256 time;
    }

    struct Newcomer {
        uint256 since;
        uint256 restartedAt;
        uint256 oustedAt;
        Word vouch;
        Word[] rejections;
    }

    mapping(bytes32 didHash => mapping(bytes32 subject => mapping(uint256 epoch => Statement)))
        private _controllers;
    mapping(bytes32 didHash => mapping(bytes32 subject => mapping(uint256 epoch => Statement)))
        private _dataHashes;
    mapping(bytes32 didHash => mapping(address controller => Newcomer)) internal _newcomers;
    mapping(bytes32 didHash => address) public firstController;

    function checkDataHashAttestation(bytes32 didHash, bytes32 dataHash) external view returns (bool) {
        for (uint256 i = 0; i < _issuerList.length; ++i) {
            if (_isLive(_dataHash(didHash, dataHash, _issuerList[i]))) return true;
        }
        return false;
    }

    function getDIDAttestations(
        bytes32 didHash,
        address controller
    ) external view returns (AttestationView[] memory) {
        return _views(_controllers[didHash][_subject(controller)]);
    }

    function getDataHashAttestations(
        bytes32 didHash,
        bytes32 dataHash
    ) external view returns (AttestationView[] memory) {
        return _views(_dataHashes[didHash][dataHash]);
    }

    function _attestDID(address issuer, bytes32 didHash, address controller, uint64 expiresAt) internal {
        _refuseIf(didHash == 0, abi.encodeWithSelector(ZeroHash.selector));
        _refuseIf(controller == address(0), abi.encodeWithSelector(ZeroAddress.selector));
        uint64 expiry = _expiry(issuer, expiresAt);
        _settle();

        if (firstController[didHash] == address(0)) firstController[didHash] = controller;
        Newcomer storage newcomer = _newcomers[didHash][controller];
        if (firstController[didHash] != controller && newcomer.since == 0) newcomer.since = block.timestamp;
        Statement storage statement = _controller(didHash, controller, issuer);
        _renew(statement, expiry);
        emit DIDAttested(didHash, controller, issuer, uint64(statement.attestedAt), expiry);
    }

    function _revokeDID(address issuer, bytes32 didHash, address controller) internal {
        Statement storage statement = _controller(didHash, controller, issuer);
        _revoke(statement, issuer, didHash, _subject(controller));
        if (!_isAttested(didHash, controller)) _restart(didHash, controller);
        emit DIDRevoked(didHash, controller, issuer);
    }

    function _attestDataHash(address issuer, bytes32 didHash, bytes32 dataHash, uint64 expiresAt) internal {
        _refuseIf(didHash == 0 || dataHash == 0, abi.encodeWithSelector(ZeroHash.selector));
        uint64 expiry = _expiry(issuer, expiresAt);
        _settle();
        Statement storage statement = _dataHash(didHash, dataHash, issuer);
        _renew(statement, expiry);
        emit DataHashAttested(didHash, dataHash, issuer, uint64(statement.attestedAt), expiry);
    }

    function _revokeDataHash(address issuer, bytes32 didHash, bytes32 dataHash) internal {
        _revoke(_dataHash(didHash, dataHash, issuer), issuer, didHash, dataHash);
        emit DataHashRevoked(didHash, dataHash, issuer);
    }

    /// @dev Takes back all that any authorisation has stated of a controller.
    function _oust(bytes32 didHash, address controller) internal {
        for (uint256 epoch = 1; epoch <= _lastEpoch; ++epoch) {
            delete _controllers[didHash][_subject(controller)][epoch];
        }
        _newcomers[didHash][controller].oustedAt = block.timestamp;
        _restart(didHash, controller);
    }

    function _isAttested(bytes32 didHash, address controller) internal view returns (bool) {
        return _countLive(didHash, controller, 0) > 0;
    }

    /// @dev Issuers whose attestation is live and at least `age` seconds old.
    function _countLive(
        bytes32 didHash,
        address controller,
        uint256 age
    ) internal view returns (uint256 count) {
        for (uint256 i = 0; i < _issuerList.length; ++i) {
            Statement memory statement = _controller(didHash, controller, _issuerList[i]);
            if (_isLive(statement) && statement.attestedAt + age <= block.timestamp) ++count;
        }
    }

    /// @dev Whether an attestation that was live at `time` has been so since.
    function _hasLiveSince(bytes32 didHash, address controller, uint256 time) internal view returns (bool) {
        return _countLive(didHash, controller, block.timestamp - time) > 0;
    }

    function _supersededAt(
        address issuer,
        bytes32 didHash,
        address controller
    ) internal view returns (uint256) {
        uint256 revokedAt = _controller(didHash, controller, issuer).revokedAt;
        uint256 oustedAt = _newcomers[didHash][controller].oustedAt;
        return revokedAt > oustedAt ? revokedAt : oustedAt;
    }

    function _dataHash(
        bytes32 didHash,
        bytes32 dataHash,
        address issuer
    ) internal view returns (Statement storage) {
        return _dataHashes[didHash][dataHash][_epochOf[issuer]];
    }

    function _refuseIfNotIssuer(address account) internal {
        _refuseIf(_epochOf[account] == 0, abi.encodeWithSelector(NotIssuer.selector, account));
    }

    function _controller(
        bytes32 didHash,
        address controller,
        address issuer
    ) private view returns (Statement storage) {
        return _controllers[didHash][_subject(controller)][_epochOf[issuer]];
    }

    function _expiry(address issuer, uint64 expiresAt) private returns (uint64) {
        _refuseIfNotIssuer(issuer);
        uint64 latest = uint64(block.timestamp) + maxTTL;
        if (expiresAt == 0) return latest;
        _refuseIf(
            expiresAt <= block.timestamp,
            abi.encodeWithSelector(ExpiresInPast.selector, expiresAt, block.timestamp)
        );
        _refuseIf(expiresAt > latest, abi.encodeWithSelector(ExpiresTooLate.selector, expiresAt, latest));
        return expiresAt;
    }

    function _renew(Statement storage statement, uint256 expiresAt) private {
        if (!_isLive(statement)) statement.attestedAt = block.timestamp;
        statement.expiresAt = expiresAt;
    }

    function _revoke(Statement storage statement, address issuer, bytes32 didHash, bytes32 subject) private {
        _refuseIfNotIssuer(issuer);
        _refuseIf(
            statement.expiresAt == 0,
            abi.encodeWithSelector(NothingToRevoke.selector, didHash, subject, issuer)
        );
        _settle();
        statement.expiresAt = 0;
        statement.revokedAt = block.timestamp;
    }

    function _restart(bytes32 didHash, address controller) private {
        Newcomer storage newcomer = _newcomers[didHash][controller];
        newcomer.since = 0;
        newcomer.restartedAt = block.timestamp;
        delete newcomer.vouch;
    }

    function _views(
        mapping(uint256 epoch => Statement) storage statements
    ) private view returns (AttestationView[] memory views) {
        views = new AttestationView[](_issuerList.length);
        uint256 count;
        for (uint256 i = 0; i < _issuerList.length; ++i) {
            Statement memory statement = statements[_epochOf[_issuerList[i]]];
            if (statement.expiresAt == 0) continue;
            (uint64 attestedAt, uint64 expiresAt) = (
                uint64(statement.attestedAt),
                uint64(statement.expiresAt)
            );
            views[count++] = AttestationView(_issuerList[i], attestedAt, expiresAt, _isLive(statement));
        }
        assembly ("memory-safe") {
            mstore(views, count)
        }
    }

    function _isLive(Statement memory statement) private view returns (bool) {
        return block.timestamp < statement.expiresAt;
    }

    function _subject(address controller) private pure returns (bytes32) {
        return bytes32(uint256(uint160(controller)));
    }
}
