// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IResolver} from "../../../contracts/interfaces/IResolver.sol";
import {VM} from "../support/Vm.sol";
import {ResolverLog} from "./ResolverLog.sol";

/// @dev Statements that issuers sign and others hand in, and which of them may be accepted.
abstract contract ResolverSignatures is ResolverLog {
    struct Signed {
        IResolver.DataHashAttestation item;
        IResolver.IssuerSignature signature;
        bool isOfDID;
        bool isRevocation;
    }

    string private constant _COMMON =
        "address issuer,uint32 epoch,uint64 issuedAt,uint64 deadline,uint256 nonce)";

    /// @dev Whether a statement was accepted that its issuer could not have made, or had taken back.
    bool internal _isForged;
    /// @dev Whether a nonce has worked after it was used or cancelled.
    bool internal _isReused;
    uint256 internal _relayed;
    mapping(address issuer => uint256[] nonces) internal _spent;
    mapping(address issuer => mapping(uint256 nonce => bool)) private _isSpent;
    /// @dev Authorisation under which a statement was signed.
    mapping(bytes32 signed => uint256) private _signedUnder;
    Signed[] private _signed;

    /// @dev An issuer signs a statement; or, rarely, an account that was one or never was.
    function _sign(address issuer, uint256 seed) internal returns (Signed memory signed) {
        if (_pick(seed, 0) % 8 == 0) issuer = _account(1 + (_pick(seed, 6) % LAST_ISSUER));
        (signed.isOfDID, signed.isRevocation) = (_pick(seed, 1) % 2 == 0, _pick(seed, 2) % 4 == 0);
        bytes32 subject =
            signed.isOfDID ? _subject(_controller(_pick(seed, 3))) : _dataHash(_pick(seed, 3) % 2);
        uint64 issuedAt = uint64(block.timestamp);
        bool isLong = signed.isRevocation || _pick(seed, 4) % 2 == 0;
        signed.item = IResolver.DataHashAttestation(
            _didHash(_pick(seed, 5) % 3),
            subject,
            isLong ? 0 : issuedAt + 30 days
        );
        signed.signature = IResolver.IssuerSignature(
            issuer,
            IResolver(resolver).issuerEpoch(issuer),
            issuedAt,
            issuedAt + 1 days,
            _steps,
            ""
        );
        bytes32 digest = resolverTwin.digestOf(_statement(signed), signed.signature);
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(_issuerKey(issuer), digest);
        signed.signature.signature = abi.encodePacked(r, s, v);
        _signed.push(signed);
        _signedUnder[keccak256(abi.encode(signed))] = _authorisation[issuer];
    }

    function _cancel(IResolver.IssuerSignature memory signature) internal {
        _call(signature.issuer, abi.encodeCall(IResolver.cancelNonce, (signature.nonce)));
        _spend(signature);
    }

    function _relay(address relayer, Signed memory signed) internal {
        bool isGenuine = _isGenuine(signed);
        (bool ok, ) = _call(relayer, _encode(signed));
        if (!ok) return;
        ++_relayed;
        if (!isGenuine) _isForged = true;
        _spend(signed.signature);
        (bytes32 didHash, bytes32 subject) = (signed.item.didHash, signed.item.dataHash);
        if (signed.isRevocation) _takeBack(signed.signature.issuer, didHash, subject);
        else _say(signed.signature.issuer, didHash, subject, signed.item.expiresAt);
    }

    /// @dev One of the last eight that were signed.
    function _older(uint256 seed) internal view returns (Signed memory) {
        uint256 count = _signed.length < 8 ? _signed.length : 8;
        return _signed[_signed.length - 1 - (seed % count)];
    }

    /// @dev As it was signed for three of four seeds, else with one member changed.
    function _altered(Signed memory signed, uint256 seed) internal view returns (Signed memory) {
        if (seed % 32 == 0) signed.item.dataHash = _subject(_controller(seed >> 5));
        if (seed % 32 == 1) signed.item.didHash = _didHash(seed >> 5);
        if (seed % 32 == 2 && !signed.isRevocation) ++signed.item.expiresAt;
        if (seed % 32 == 3) signed.signature.issuer = _account(1 + ((seed >> 5) % LAST_ISSUER));
        if (seed % 32 == 4) ++signed.signature.epoch;
        if (seed % 32 == 5) --signed.signature.issuedAt;
        if (seed % 32 == 6) --signed.signature.deadline;
        if (seed % 32 == 7) ++signed.signature.nonce;
        return signed;
    }

    /// @dev Whether its issuer signed just this, under the authorisation that it has now, and has not taken it back.
    function _isGenuine(Signed memory signed) private view returns (bool) {
        address issuer = signed.signature.issuer;
        uint256 authorisation = _signedUnder[keccak256(abi.encode(signed))];
        if (authorisation == 0 || authorisation != _authorisation[issuer]) return false;
        if (block.timestamp > signed.signature.deadline) return false;
        return signed.signature.issuedAt > _supersededAt(issuer, signed.item.didHash, signed.item.dataHash);
    }

    function _issuerKey(address issuer) private view returns (uint256) {
        for (uint256 i = 1; i < LAST_ISSUER; ++i) if (_account(i) == issuer) return _keyOf(i);
        return _keyOf(LAST_ISSUER);
    }

    function _spend(IResolver.IssuerSignature memory signature) private {
        if (_isSpent[signature.issuer][signature.nonce]) _isReused = true;
        _isSpent[signature.issuer][signature.nonce] = true;
        _spent[signature.issuer].push(signature.nonce);
    }

    function _encode(Signed memory signed) private pure returns (bytes memory) {
        IResolver.DataHashAttestation memory item = signed.item;
        IResolver.IssuerSignature memory signature = signed.signature;
        if (!signed.isOfDID && signed.isRevocation) {
            return
                abi.encodeCall(IResolver.revokeDataHashBySignature, (item.didHash, item.dataHash, signature));
        }
        if (!signed.isOfDID) return abi.encodeCall(IResolver.attestDataHashBySignature, (item, signature));
        address controller = address(uint160(uint256(item.dataHash)));
        if (signed.isRevocation) {
            return abi.encodeCall(IResolver.revokeDIDBySignature, (item.didHash, controller, signature));
        }
        return
            abi.encodeCall(
                IResolver.attestDIDBySignature,
                (IResolver.DIDAttestation(item.didHash, controller, item.expiresAt), signature)
            );
    }

    /// @dev Encoded type and members of what is signed (EIP-712), without the members that all have.
    function _statement(Signed memory signed) private pure returns (bytes memory) {
        string memory verb = signed.isRevocation ? "Revoke" : "Attest";
        string memory subject =
            signed.isOfDID
                ? "DID(bytes32 didHash,address controller,"
                : "DataHash(bytes32 didHash,bytes32 dataHash,";
        string memory end = signed.isRevocation ? "" : "uint64 expiresAt,";
        bytes32 typeHash = keccak256(bytes(string.concat(verb, subject, end, _COMMON)));
        if (signed.isRevocation) return abi.encode(typeHash, signed.item.didHash, signed.item.dataHash);
        return abi.encode(typeHash, signed.item.didHash, signed.item.dataHash, signed.item.expiresAt);
    }
}
