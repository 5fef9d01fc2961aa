// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";

import {IResolver} from "../interfaces/IResolver.sol";
import {RunLib} from "../libraries/Run.sol";

/// @title Signatures of issuers (EIP-712)
/// @notice Checks the dates and the signature of a statement. There are no nonces: the inheriting contract checks
/// whether the issuer may make the statement, and whether a newer one replaced it.
abstract contract IssuerSignatures is IResolver, EIP712 {
    bytes32 private constant _ATTEST_DID_TYPE = keccak256(
        "AttestDID(bytes32 didHash,address controller,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _REVOKE_DID_TYPE = keccak256(
        "RevokeDID(bytes32 didHash,address controller,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _ATTEST_DATA_HASH_TYPE = keccak256(
        "AttestDataHash(bytes32 didHash,bytes32 dataHash,uint64 expiresAt,address issuer,uint64 statedAt,uint64 deadline)"
    );
    bytes32 private constant _REVOKE_DATA_HASH_TYPE = keccak256(
        "RevokeDataHash(bytes32 didHash,bytes32 dataHash,address issuer,uint64 statedAt,uint64 deadline)"
    );

    /// @dev Reverts unless `by` is its issuer's signature of a struct, signed since the issuer was added.
    function _checkSignature(IssuerSignature calldata by, bytes32 structHash, uint64 addedAt) internal view {
        uint64 timestamp = uint64(block.timestamp);
        (uint64 statedAt, uint64 deadline) = (by.statedAt, by.deadline);
        if (statedAt > timestamp || statedAt < addedAt) revert InvalidStatedAt(statedAt, addedAt, timestamp);
        if (deadline < statedAt || deadline - statedAt > RunLib.MAX_BACKDATE) {
            revert InvalidDeadline(statedAt, deadline);
        }
        if (timestamp > deadline) revert SignatureExpired(deadline, timestamp);
        if (!_isSignedBy(by.issuer, _hashTypedData(structHash), by.signature))
            revert InvalidSignature(by.issuer);
    }

    function _hashAttestDID(
        DIDAttestation calldata attestation,
        IssuerSignature calldata by
    ) internal pure returns (bytes32) {
        bytes32 controller = _wordOf(attestation.controller);
        return _hashAttest(_ATTEST_DID_TYPE, attestation.didHash, controller, attestation.expiresAt, by);
    }

    function _hashAttestDataHash(
        DataHashAttestation calldata attestation,
        IssuerSignature calldata by
    ) internal pure returns (bytes32) {
        bytes32 dataHash = attestation.dataHash;
        return _hashAttest(_ATTEST_DATA_HASH_TYPE, attestation.didHash, dataHash, attestation.expiresAt, by);
    }

    function _hashRevokeDID(
        bytes32 didHash,
        address controller,
        IssuerSignature calldata by
    ) internal pure returns (bytes32) {
        return _hashRevoke(_REVOKE_DID_TYPE, didHash, _wordOf(controller), by);
    }

    function _hashRevokeDataHash(
        bytes32 didHash,
        bytes32 dataHash,
        IssuerSignature calldata by
    ) internal pure returns (bytes32) {
        return _hashRevoke(_REVOKE_DATA_HASH_TYPE, didHash, dataHash, by);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("App Registry Resolver", "1");
    }

    /// @dev `about` is a controller or a dataHash: EIP-712 encodes either as one word.
    function _hashAttest(
        bytes32 typeHash,
        bytes32 didHash,
        bytes32 about,
        uint64 expiresAt,
        IssuerSignature calldata by
    ) private pure returns (bytes32) {
        return
            keccak256(abi.encode(typeHash, didHash, about, expiresAt, by.issuer, by.statedAt, by.deadline));
    }

    function _hashRevoke(
        bytes32 typeHash,
        bytes32 didHash,
        bytes32 about,
        IssuerSignature calldata by
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(typeHash, didHash, about, by.issuer, by.statedAt, by.deadline));
    }

    function _wordOf(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    /// @dev ECDSA first: the common case then doesn't touch the issuer's account, and an EOA that delegates to code
    /// (EIP-7702) can still sign with its key.
    function _isSignedBy(
        address issuer,
        bytes32 digest,
        bytes calldata signature
    ) private view returns (bool) {
        // Zero if the signature is malformed or malleable.
        (address signer, , ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer != address(0) && signer == issuer) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(issuer, digest, signature);
    }
}
